/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DeliveryLog } from './delivery-log.tsx';
import type { RunAction } from './use-actions.tsx';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly state: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether it is open until the user closes it. */
  readonly isFirst: boolean;
  readonly logId: string;
  readonly limit: number;
  readonly redeliveryId: string | null;
  readonly act: RunAction;
}

/** An endpoint, a sink or a merchant's own, with its log of deliveries, which is read while the card is open. */
export function ReceiverCard(props: CardProps) {
  const { id, title, state, children, isFirst, logId, limit, redeliveryId, act } = props;
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
        <b>{title}</b> {state}
      </summary>
      {children}
      {isOpen && (
        <DeliveryLog receiverId={id} logId={logId} limit={limit} redeliveryId={redeliveryId} act={act} />
      )}
    </details>
  );
}
