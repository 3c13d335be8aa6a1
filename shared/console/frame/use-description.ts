import { useRef, useState } from 'preact/hooks';
import { type ConsoleOperation, readOperations } from '../../story/read-operations.ts';
import type { Calls } from '../call/calls.ts';
import type { Gate } from '../call/gate.ts';

/** The operations as the document describes them: null until something needs them. */
export function useDescription(gate: Gate, calls: Calls) {
  const [described, setDescribed] = useState<readonly ConsoleOperation[] | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const reading = useRef<Promise<boolean> | undefined>(undefined);

  async function read(): Promise<boolean> {
    try {
      const operations = readOperations(await gate.readDocument());
      calls.describe(operations);
      setDescribed(operations);
      setUnreadable(false);
      return true;
    } catch {
      reading.current = undefined;
      setUnreadable(true);
      return false;
    }
  }

  function readDocument(): Promise<boolean> {
    reading.current ??= read();
    return reading.current;
  }

  return { described, isUnreadable, readDocument };
}
