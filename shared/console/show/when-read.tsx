/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import type { ReadRequest } from '../../story/read-request.ts';
import { useReads } from '../call/use-read.ts';
import { showTexts } from './show-texts.ts';

interface WhenReadProps {
  readonly requests: readonly ReadRequest[];
  readonly children: ComponentChildren;
}

/**
 * Shows its content when all of these reads have ended, so that nothing moves that somebody reads already. Until then
 * the content is hidden, and not left out: what it reads is requested at the same time.
 */
export function WhenRead({ requests, children }: WhenReadProps) {
  const states = useReads(requests);
  const isRead = states.every(({ response, failure }) => response !== null || failure !== null);
  return (
    <>
      {!isRead && <p class="hint start">{showTexts.reading}</p>}
      <div class="when-read" hidden={!isRead}>
        {children}
      </div>
    </>
  );
}
