/// <reference lib="dom" />
import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { sectionOf } from '../../story/addresses.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf, type DashboardRoute, withoutPanels } from '../../story/route.ts';
import { type Dashboard, DashboardContext } from '../call/dashboard-context.ts';
import { DialogHost } from '../call/dialog-host.tsx';
import type { AddressVerdict, Gate } from '../call/gate.ts';
import { useDialogs } from '../call/use-dialogs.ts';
import { useRoute } from '../call/use-route.ts';
import { WhenRead } from '../show/when-read.tsx';
import { useWorldDrawer } from '../world/use-world-drawer.ts';
import { WorldDrawer } from '../world/world-drawer.tsx';
import { ConnectForm } from './connect-form.tsx';
import { frameTexts as texts } from './frame-texts.ts';
import { MerchantMenu } from './merchant-menu.tsx';
import { FootBar, Rail } from './navigation.tsx';
import { RouteView } from './route-view.tsx';
import { createServiceAccess } from './service-access.ts';
import { TopLine } from './top-line.tsx';
import { type DashboardConnection, useConnection } from './use-connection.ts';
import { useDescription } from './use-description.ts';
import { useHeadingFocus } from './use-heading-focus.ts';
import { useKeys } from './use-keys.ts';
import { usePageEvents } from './use-page-events.ts';

interface AppProps {
  readonly root: string;
  readonly hasTestKit: boolean;
  readonly gate: Gate;
  /** What became of the key in the address; null if there was none. */
  readonly given: AddressVerdict | null;
}

/** The dashboard: its frame, and the view that the address names. */
export function App({ root, hasTestKit, gate, given }: AppProps) {
  const route = useRoute();
  const shown = withoutPanels(route);
  const main = useRef<HTMLElement>(null);
  const [announcement, announce] = useState('');
  const { dialogs, openDialog, closeDialogs } = useDialogs();
  const drawer = useWorldDrawer(route);
  const access = useMemo(() => {
    const onUnauthorized = (detail: string) => connection.forgetKey(texts.connect.rejected(detail));
    return createServiceAccess({ gate, hasTestKit, onUnauthorized });
  }, []);
  const { reads, calls } = access;
  const { described, isUnreadable, readDocument } = useDescription(gate, calls);
  const closeDrawer = drawer.letGo;
  const connection = useConnection({ gate, given, access, closeDialogs, closeDrawer, announce });
  usePageEvents({ gate, given, connection, reads, openDialog });
  useKeys(openDialog, hasTestKit);
  useHeadingFocus(main, addressOf(shown.path, shown.query));
  const { isOpen, switchWorld } = connection;
  const dashboard: Dashboard = useMemo(
    () => ({ ...access, root, hasTestKit, gate, described, readDocument, openDialog, announce, switchWorld }),
    [described],
  );
  return (
    <DashboardContext.Provider value={dashboard}>
      <WhenRead requests={isOpen ? identityOf(hasTestKit) : []}>
        <Page route={shown} main={main} drawer={drawer} connection={connection} isUnreadable={isUnreadable} />
      </WhenRead>
      <p id="announcement" class="unseen" role="status">
        {announcement}
      </p>
      <DialogHost dialogs={dialogs} />
    </DashboardContext.Provider>
  );
}

/** What the top bar shows. */
function identityOf(hasTestKit: boolean) {
  return hasTestKit ? [readOf('keys.GetKey'), readOf('testkit.GetClock')] : [readOf('keys.GetKey')];
}

interface DashboardPageProps {
  readonly route: DashboardRoute;
  readonly main: RefObject<HTMLElement | null>;
  readonly drawer: ReturnType<typeof useWorldDrawer>;
  readonly connection: DashboardConnection;
  readonly isUnreadable: boolean;
}

function Page({ route, main, drawer, connection, isUnreadable }: DashboardPageProps) {
  const { isOpen, message, setMessage } = connection;
  const isWorldOpen = isOpen && drawer.shown !== undefined;
  const forgetKey = () => {
    connection.forgetKey('');
    drawer.turn(false);
    requestAnimationFrame(() => document.getElementById('key')?.focus());
  };
  const closeWorld = () => {
    drawer.turn(false);
    document.getElementById('clock-button')?.focus();
  };
  const turnWorld = () => drawer.turn(!isWorldOpen);
  const menu = <MerchantMenu isOpen={isOpen} onWorld={turnWorld} onForget={forgetKey} />;
  const section = sectionOf(route);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {texts.skip}
      </button>
      <Rail current={section} menu={menu} />
      <TopLine isOpen={isOpen} isWorldOpen={isWorldOpen} onWorld={turnWorld} />
      <div class={isWorldOpen ? 'columns with-world' : 'columns'}>
        <main id="stage" ref={main} tabIndex={-1}>
          {!isOpen && <ConnectForm message={message} onMessage={setMessage} onKey={connection.connect} />}
          {isUnreadable && <p class="problem">{texts.unreadable}</p>}
          <RouteView key={String(isOpen)} route={route} />
        </main>
        {isWorldOpen && <WorldDrawer key={drawer.shown} shownId={drawer.shown} onClose={closeWorld} />}
      </div>
      <FootBar current={section} menu={menu} />
    </>
  );
}
