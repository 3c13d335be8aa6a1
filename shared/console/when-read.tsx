/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import type { ReadRequest } from './reads.ts';
import { useReads } from './use-read.ts';

interface WhenReadProps {
  readonly requests: readonly ReadRequest[];
  /** Waits for something else, too. */
  readonly isHeld?: boolean;
  readonly children: ComponentChildren;
}

/** Shows its content when all of these reads have ended, so that nothing moves that somebody reads already. */
export function WhenRead({ requests, isHeld = false, children }: WhenReadProps) {
  const states = useReads(requests);
  const isRead = states.every(({ answer, failure }) => answer !== null || failure !== null);
  return isRead && !isHeld ? children : <p class="hint start">Reading …</p>;
}
