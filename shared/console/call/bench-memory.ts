import type { FormTexts } from './form-values.ts';
import type { GateResponse } from './gate.ts';

/** What the form of an operation holds, so that it is still there when the user comes back to it. */
interface BenchState {
  /** The parameters of the path that the user has typed. */
  readonly typed: Readonly<Record<string, string>>;
  readonly query: FormTexts;
  readonly body: FormTexts;
  /** The body as text, if it is edited as text. */
  readonly text: string | null;
  readonly version: string;
  readonly lastKey: string | null;
  readonly response: GateResponse | null;
}

/** The state of each form, by the id of its operation. */
export type BenchMemory = Map<string, BenchState>;
