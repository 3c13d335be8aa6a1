/// <reference lib="dom" />
import { useEffect } from 'preact/hooks';
import type { OpenDialog } from '../call/dialog-host.tsx';
import type { AddressVerdict, Gate } from '../call/gate.ts';
import type { KeyVerdict } from '../call/judge-key.ts';
import type { Reads } from '../call/reads.ts';
import { askReplacement, sayRefused } from './ask-replacement.tsx';
import { refusalOfAddressKey } from './key-refusals.ts';
import type { DashboardConnection } from './use-connection.ts';

interface PageEventsProps {
  readonly gate: Gate;
  /** What became of the key in the address; null if there was none. */
  readonly given: AddressVerdict | null;
  readonly connection: Pick<DashboardConnection, 'connect' | 'close'>;
  readonly reads: Reads;
  readonly openDialog: OpenDialog;
}

/** Takes keys out of addresses, forgets everything when the page is left, and reads when it is seen. */
export function usePageEvents({ gate, given, connection, reads, openDialog }: PageEventsProps): void {
  /** Goes on with a key of an address that was opened while another key is in use. */
  async function followAddressKey(verdict: AddressVerdict): Promise<void> {
    const replacement = gate.replacement();
    if (verdict !== 'replaces') {
      const reason = refusalOfAddressKey(verdict);
      return reason === '' ? undefined : sayRefused(openDialog, reason);
    }
    if (replacement === null || !(await askReplacement(openDialog, replacement))) {
      gate.keepKey();
      return;
    }
    connection.close('');
    gate.replaceKey();
    connection.connect('test');
  }

  function takeKey(): void {
    const wasOpen = gate.isOpen();
    const verdict = gate.unlockFromAddress();
    if (verdict === null) {
      return;
    }
    // The address is another one now.
    dispatchEvent(new Event('hashchange'));
    if (wasOpen) {
      void followAddressKey(verdict);
    } else {
      connection.connect(verdict as KeyVerdict);
    }
  }

  /** A browser may keep a page with all its data after the user leaves, and show it again for the Back button. */
  function leave(): void {
    gate.lock();
    connection.close('');
  }

  function comeBack({ persisted }: PageTransitionEvent): void {
    if (persisted && gate.unlockFromTab()) {
      connection.connect('test');
    }
  }

  useEffect(() => {
    if (gate.isOpen() && given !== null) {
      void followAddressKey(given);
    }
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('hashchange', takeKey, { signal });
    addEventListener('pagehide', leave, { signal });
    addEventListener('pageshow', comeBack, { signal });
    document.addEventListener('visibilitychange', () => reads.refresh(), { signal });
    return () => listening.abort();
  }, []);
}
