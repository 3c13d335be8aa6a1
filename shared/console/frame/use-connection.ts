/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import type { AddressVerdict, Gate } from '../call/gate.ts';
import type { KeyVerdict } from '../call/judge-key.ts';
import { frameTexts } from './frame-texts.ts';
import { KEY_REFUSALS, refusalOfAddressKey } from './key-refusals.ts';
import type { ServiceAccess } from './service-access.ts';

interface ConnectionProps {
  readonly gate: Gate;
  /** What became of the key in the address; null if there was none. */
  readonly given: AddressVerdict | null;
  readonly access: ServiceAccess;
  readonly closeDialogs: () => void;
  readonly closeDrawer: () => void;
  readonly announce: (text: string) => void;
}

export type DashboardConnection = ReturnType<typeof useConnection>;

/** Whether the dashboard has a key, and what begins and ends with one. */
export function useConnection({ gate, given, access, closeDialogs, closeDrawer, announce }: ConnectionProps) {
  const { reads, knownIds, benches } = access;
  const [isOpen, setOpen] = useState(gate.isOpen());
  const [message, setMessage] = useState(refusalOfAddressKey(given));

  function connect(verdict: KeyVerdict): void {
    if (verdict !== 'test') {
      forgetKey(KEY_REFUSALS[verdict]);
      return;
    }
    setMessage('');
    setOpen(true);
    announce(frameTexts.connect.done);
    reads.refresh();
  }

  function forgetKey(reason: string): void {
    gate.forget();
    close(reason);
  }

  /** Removes everything that a key has brought. */
  function close(reason: string): void {
    setOpen(false);
    closeDrawer();
    setMessage(reason);
    forgetContent();
  }

  function forgetContent(): void {
    closeDialogs();
    reads.forget();
    knownIds.forget();
    benches.clear();
  }

  function switchWorld(toId: string): void {
    const from = reads.bodyOf(readOf('keys.GetKey'))?.world;
    if (from === undefined || !gate.switchWorld(from, toId)) {
      return;
    }
    forgetContent();
    // An address may name what is in the other world alone.
    location.hash = addressOf([]);
    announce(frameTexts.connect.switched);
    reads.refresh();
  }

  return { isOpen, message, setMessage, connect, forgetKey, close, switchWorld };
}
