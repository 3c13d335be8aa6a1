/// <reference lib="dom" />

import { parseRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateAnswer } from '../call/gate.ts';
import { nextStepsOf } from './next-steps.ts';

interface StepsProps {
  readonly answer: GateAnswer;
  /** Left out: a link to the place where it is shown. */
  readonly shownAt?: string;
  /** Whether the pages of the service are all that it leads to, and no form. */
  readonly isPagesOnly?: boolean;
}

/** What can be done next with the resource of a response, as far as this service has the operations for it. */
export function NextStepLinks({ answer, shownAt, isPagesOnly = false }: StepsProps) {
  const { operations } = useDashboard();
  const isThere = (address: string) => {
    const [place, id] = parseRoute(address).path;
    return address !== shownAt && (place !== 'api' || operations.some((operation) => operation.id === id));
  };
  const steps = nextStepsOf(answer, location.origin).filter(
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
