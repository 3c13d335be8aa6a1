import type { AnswerView } from './answer-view.ts';
import type { Calls } from './calls.ts';
import type { Dialogs } from './dialogs.ts';
import type { Elements } from './elements.ts';
import type { Gate } from './gate.ts';
import type { KnownIds } from './known-ids.ts';
import type { MerchantClock } from './merchant-clock.ts';

/** The parts and handlers that several others need. */
export interface SharedParts {
  readonly elements: Elements;
  readonly gate: Gate;
  readonly answerView: AnswerView;
  readonly calls: Calls;
  readonly clock: MerchantClock;
  readonly dialogs: Dialogs;
  readonly knownIds: KnownIds;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Called after a request that may have changed the test world, and when there is more to show. */
  readonly onChange: () => void;
  /** Opens the form of an operation with these values. */
  readonly open: (operationId: string, values: Readonly<Record<string, string>>) => void;
}
