/// <reference lib="dom" />

import { parseRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse } from '../call/gate.ts';
import { nextStepsOf } from './next-steps.ts';

interface StepsProps {
  readonly response: GateResponse;
  /** Left out: a link to the route where it is shown. */
  readonly shownAt?: string;
  /** Whether the pages of the service are all that it leads to, and no form. */
  readonly isPagesOnly?: boolean;
}

/** What can be done next with the resource of a response, as far as this service has the operations for it. */
export function NextStepLinks({ response, shownAt, isPagesOnly = false }: StepsProps) {
  const { operations } = useDashboard();
  const isThere = (address: string) => {
    const [segment, id] = parseRoute(address).path;
    return address !== shownAt && (segment !== 'api' || operations.some((operation) => operation.id === id));
  };
  const steps = nextStepsOf(response, location.origin).filter(
    ({ address, isOutside }) => isThere(address) && (isOutside || !isPagesOnly),
  );
  if (steps.length === 0) {
    return null;
  }
  return (
    <p class="tools next">
      {steps.map(({ label, address, isOutside }) => (
        <a
          key={label}
          class="button"
          href={address}
          {...(isOutside && { target: '_blank', rel: 'noreferrer' })}
        >
          {label}
        </a>
      ))}
    </p>
  );
}
