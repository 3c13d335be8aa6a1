/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isOfTestKit } from '../../contract/test-kit.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import { type ConsoleOperation, readOperations } from '../../story/read-operations.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf, PLACES, placeOf, withoutPanels } from '../../story/route.ts';
import type { BenchMemory } from '../call/bench-memory.ts';
import { builtOperations } from '../call/built-operations.ts';
import { createCalls } from '../call/calls.ts';
import { type Dashboard, DashboardContext } from '../call/dashboard-context.ts';
import { DialogHost } from '../call/dialog-host.tsx';
import type { Gate } from '../call/gate.ts';
import type { KeyVerdict } from '../call/judge-key.ts';
import { createKnownIds } from '../call/known-ids.ts';
import { createMerchantClock } from '../call/merchant-clock.ts';
import { createReads } from '../call/reads.ts';
import { useDialogs } from '../call/use-dialogs.ts';
import { useRoute } from '../call/use-route.ts';
import { uuidV7 } from '../call/uuid-v7.ts';
import { WhenRead } from '../show/when-read.tsx';
import { useWorldDrawer } from '../world/use-world-drawer.ts';
import { WorldDrawer } from '../world/world-drawer.tsx';
import { askReplacement, sayRefused } from './ask-replacement.tsx';
import { ConnectForm } from './connect-form.tsx';
import { KEY_REFUSALS } from './key-refusals.ts';
import { nextTask } from './next-task.ts';
import { PlaceView } from './place-view.tsx';
import { TopBar } from './top-bar.tsx';

const KEY = readOf('keys.GetKey');
const CLOCK = readOf('testkit.GetClock');

type AddressKey = ReturnType<Gate['unlockFromAddress']>;

interface AppProps {
  readonly root: string;
  readonly hasTestKit: boolean;
  readonly gate: Gate;
  /** What became of the key in the address; null if there was none. */
  readonly given: AddressKey;
}

/** The dashboard: its frame, and the place that the address names. */
export function App({ root, hasTestKit, gate, given }: AppProps) {
  const route = useRoute();
  const [described, setDescribed] = useState<readonly ConsoleOperation[] | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [isOpen, setOpen] = useState(gate.isOpen());
  const [message, setMessage] = useState(refusalOfKey(given));
  const [announcement, announce] = useState('');
  const { dialogs, openDialog, closeDialogs } = useDialogs();
  const drawer = useWorldDrawer(route);
  const [isPaused, setPaused] = useState(false);
  const main = useRef<HTMLElement>(null);

  const parts = useMemo(() => {
    const operations = builtOperations.filter(({ id }) => hasTestKit || !isOfTestKit(id));
    const clock = createMerchantClock();
    const knownIds = createKnownIds();
    const benches: BenchMemory = new Map();
    const calls = createCalls({
      gate,
      operations,
      newIdempotencyKey: uuidV7,
      onUnauthorized: (detail) => {
        gate.forget();
        close(`The service rejected this key. ${detail}`);
      },
    });
    const reads = createReads({
      // Each in a task of its own, so that what the user does need not wait for all that a place reads.
      call: async (...read) => {
        await nextTask();
        return calls.send(...read);
      },
      isActive: () => gate.isOpen() && document.visibilityState !== 'hidden',
      onAnswer: (name, answer) => {
        knownIds.list(name, [answer]);
        if (answer.status === 200 && answer.request.path.endsWith('/test/clock')) {
          clock.set((answer.body as BodyOf<'testkit.GetClock'>).now);
        }
      },
    });
    let documentRead: Promise<boolean> | undefined;
    const readDocument = () => {
      documentRead ??= gate
        .readDocument()
        .then((openApi) => {
          const described = readOperations(openApi);
          calls.describe(described);
          setDescribed(described);
          setUnreadable(false);
          return true;
        })
        .catch(() => {
          documentRead = undefined;
          setUnreadable(true);
          return false;
        });
      return documentRead;
    };
    const shared = { root, hasTestKit, operations, gate, calls, reads, clock, knownIds, benches };
    return { ...shared, readDocument, openDialog, announce };
  }, []);
  const dashboard: Dashboard = useMemo(() => ({ ...parts, described, switchWorld }), [described]);

  function switchWorld(toId: string): void {
    const from = parts.reads.bodyOf(KEY)?.world;
    if (from === undefined || !gate.switchWorld(from, toId)) {
      return;
    }
    forgetContent();
    // An address may name what is in the other world alone.
    location.hash = addressOf([]);
    announce('Switched to another test world.');
    parts.reads.refresh();
  }

  function connect(verdict: KeyVerdict): void {
    if (verdict !== 'test') {
      gate.forget();
      close(KEY_REFUSALS[verdict]);
      return;
    }
    setMessage('');
    setOpen(true);
    announce('Connected with a test key.');
    parts.reads.refresh();
  }

  /** Removes everything that a key has brought. */
  function close(reason: string): void {
    setOpen(false);
    drawer.letGo();
    setMessage(reason);
    forgetContent();
  }

  function forgetContent(): void {
    const { reads, knownIds, benches } = parts;
    closeDialogs();
    reads.forget();
    knownIds.forget();
    benches.clear();
  }

  /** Goes on with a key of an address that was opened while another key is in use. */
  async function followAddressKey(verdict: AddressKey): Promise<void> {
    const replacement = gate.replacement();
    if (verdict !== 'replaces') {
      const reason = refusalOfKey(verdict);
      return reason === '' ? undefined : sayRefused(openDialog, reason);
    }
    if (replacement === null || !(await askReplacement(openDialog, replacement))) {
      gate.keepKey();
      return;
    }
    close('');
    gate.replaceKey();
    connect('test');
  }

  useEffect(() => {
    const takeKey = () => {
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
        connect(verdict as KeyVerdict);
      }
    };
    if (gate.isOpen() && given !== null) {
      void followAddressKey(given);
    }
    // A browser may keep a page with all its data after the user leaves, and show it again for the Back button.
    const leave = () => {
      gate.lock();
      close('');
    };
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted && gate.unlockFromTab()) {
        connect('test');
      }
    };
    const wake = () => parts.reads.refresh();
    addEventListener('hashchange', takeKey);
    addEventListener('pagehide', leave);
    addEventListener('pageshow', comeBack);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('hashchange', takeKey);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', comeBack);
      document.removeEventListener('visibilitychange', wake);
    };
  }, []);

  const shown = withoutPanels(route);
  const place = placeOf(shown);
  const isFirst = useRef(true);
  // What had the focus when the address changed, until the heading of the new place has it.
  const focused = useRef<Element | null>(null);
  const address = addressOf(shown.path, shown.query);
  useLayoutEffect(() => {
    if (!isFirst.current) {
      focused.current = document.activeElement;
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [address]);
  useLayoutEffect(() => {
    // A place may have no heading before the description of the service is read. The user may have gone on meanwhile.
    const heading = main.current?.querySelector<HTMLElement>('h2[tabindex]');
    if (heading && focused.current !== null) {
      if (focused.current === document.activeElement) {
        heading.focus({ preventScroll: true });
      }
      focused.current = null;
    }
  });
  const isWorldOpen = isOpen && drawer.shown !== undefined;
  // What the top bar shows.
  const identity = hasTestKit ? [KEY, CLOCK] : [KEY];

  return (
    <DashboardContext.Provider value={dashboard}>
      <WhenRead requests={isOpen ? identity : []}>
        <header class="top">
          <button type="button" class="skip" onClick={() => main.current?.focus()}>
            Skip to the content
          </button>
          <h1>
            <span class="mark" aria-hidden="true">
              ฿
            </span>{' '}
            Payments
          </h1>
          {isOpen && (
            <TopBar
              isWorldOpen={isWorldOpen}
              onWorld={() => drawer.turn(!isWorldOpen)}
              onForget={() => {
                gate.forget();
                close('');
                drawer.turn(false);
                requestAnimationFrame(() => document.getElementById('key')?.focus());
              }}
            />
          )}
        </header>
        <nav class="places" aria-label="Dashboard">
          {PLACES.map(([name, title]) => (
            <a
              key={name}
              href={addressOf(name === '' ? [] : [name])}
              aria-current={name === place ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class={isWorldOpen ? 'columns with-world' : 'columns'}>
          <main id="stage" ref={main} tabIndex={-1}>
            {!isOpen && (
              <ConnectForm
                message={message}
                onMessage={setMessage}
                onRefused={() => gate.lock()}
                onConnect={(key, isKept) => {
                  const verdict = gate.unlock(key);
                  gate.keepInTab(isKept);
                  connect(verdict);
                }}
              />
            )}
            {isUnreadable && (
              <p class="problem">The description of the service could not be read. Try it again.</p>
            )}
            <PlaceView key={String(isOpen)} route={shown} />
          </main>
          {isWorldOpen && (
            <WorldDrawer
              key={drawer.shown}
              shownId={drawer.shown}
              isPaused={isPaused}
              onPause={(isNowPaused) => {
                setPaused(isNowPaused);
                parts.reads.pause(isNowPaused);
              }}
              onClose={() => {
                drawer.turn(false);
                document.getElementById('world-button')?.focus();
              }}
            />
          )}
        </div>
      </WhenRead>
      <p id="announcement" class="unseen" role="status">
        {announcement}
      </p>
      <DialogHost dialogs={dialogs} />
    </DashboardContext.Provider>
  );
}

/** Why a key of an address is not used; empty if it is, or may be. */
function refusalOfKey(verdict: AddressKey): string {
  return verdict === null || verdict === 'test' || verdict === 'replaces' ? '' : KEY_REFUSALS[verdict];
}
