/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { rateText } from '../../story/delivery-words.ts';
import type { LogId } from '../../story/lists.ts';
import type { RunAction } from '../act/use-actions.tsx';
import { useRead } from '../call/use-read.ts';
import { DeliveryLog, type RedeliveryId } from './delivery-log.tsx';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly state: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether it is open until the user closes it. */
  readonly isFirst: boolean;
  /** Whether it says how many attempts succeeded while it is closed, too. */
  readonly hasRate: boolean;
  readonly logId: LogId;
  readonly limit: number;
  readonly redeliveryId: RedeliveryId | null;
  readonly act: RunAction;
}

/** The most receivers whose rates a page shows: each of them is a read. */
export const RATES_MAX = 5;

/** An endpoint, a sink or a merchant's own, with its log of deliveries, which is read while the card is open. */
export function ReceiverCard(props: CardProps) {
  const { id, title, state, children, isFirst, hasRate, logId, limit, redeliveryId, act } = props;
  const [chosen, choose] = useState<boolean | null>(null);
  const isOpen = chosen ?? isFirst;
  return (
    <details
      class="receiver"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) {
          choose(currentTarget.open);
        }
      }}
    >
      <summary>
        <b>{title}</b> {state} {(isOpen || hasRate) && <SuccessRate id={id} logId={logId} />}
      </summary>
      {children}
      {isOpen && (
        <DeliveryLog receiverId={id} logId={logId} limit={limit} redeliveryId={redeliveryId} act={act} />
      )}
    </details>
  );
}

/** How many of the newest attempts succeeded. */
function SuccessRate({ id, logId }: Pick<CardProps, 'id' | 'logId'>) {
  const { response } = useRead(logId, { params: { id }, query: { limit: '100' } });
  const attempts = response?.body?.data ?? [];
  return attempts.length === 0 ? null : <span class="state hint">{rateText(attempts)}</span>;
}
