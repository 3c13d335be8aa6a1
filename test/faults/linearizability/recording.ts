import { writeFile } from 'node:fs/promises';
import type { Inspection } from '../model/invariants.ts';

/** The names of the models of `checker/`. */
export type Model = 'payment' | 'bank' | 'payment link' | 'idempotency' | 'clock' | 'endpoint';

/** A stretch of time, in milliseconds since 1970, both ends included. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The fields of every response. */
export interface Verdict {
  readonly status: number;
  /** The problem's code; empty where the request succeeded. */
  readonly code: string;
  /** From the problem's details; -1 and empty if they lack it. */
  readonly currentStatus: string;
  readonly refundableMinor: number;
  readonly isReplay: boolean;
}

/** The request, in the words of the model. */
export interface ModelRequest {
  readonly command: string;
  readonly [name: string]: unknown;
}

/** One operation of a history: a line of a recording. `checker/operation.go` reads it. */
export interface Recorded<ResponseFields = object> {
  readonly history: string;
  readonly model: Model;
  /** Each client sends its requests one after the other. */
  readonly client: number;
  /** Microseconds of a clock that only goes forward. */
  readonly calledAtUs: number;
  /** Null if it is unknown whether it took effect. */
  readonly respondedAtUs: number | null;
  readonly tries: number;
  /** Whether a client stopped waiting for a try: that try may still take effect when a later one was refused. */
  readonly hasTimedOut: boolean;
  /** Bounds of the merchant's clock at the moment of the decision. */
  readonly clock: Span;
  /** Real time, from the call to the response. */
  readonly real: Span;
  readonly request: ModelRequest;
  readonly response: (Verdict & Partial<ResponseFields>) | null;
}

/** The recorded operations, and what was counted and inspected meanwhile. */
export interface Recording {
  readonly operations: Recorded[];
  readonly inspection: Inspection;
  readonly histories: Record<Model, number>;
  readonly counts: { tries: number; unknowns: number; events: number };
}

export function newRecording(inspection: Inspection): Recording {
  return {
    operations: [],
    inspection,
    histories: { payment: 0, bank: 0, 'payment link': 0, idempotency: 0, clock: 0, endpoint: 0 },
    counts: { tries: 0, unknowns: 0, events: 0 },
  };
}

export function historiesIn({ histories }: Recording): number {
  return Object.values(histories).reduce((sum, count) => sum + count, 0);
}

export async function writeRecording(file: string, operations: readonly Recorded[]): Promise<void> {
  await writeFile(file, operations.map((operation) => `${JSON.stringify(operation)}\n`).join(''));
}
