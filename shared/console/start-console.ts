/// <reference lib="dom" />
import type { ConsoleParts } from './console-parts.ts';
import type { AnyJson } from './gate.ts';
import type { ConsoleOperation } from './read-operations.ts';
import type { Bench } from './workbench.ts';

/** Starts the page: the key, the list of operations, the form of one of them, and the test world. */
export async function startConsole(parts: ConsoleParts): Promise<void> {
  const REFUSALS = {
    empty: 'Enter a test key. It begins with pg_test_.',
    unfinished: 'This test key is incomplete. Enter all of it.',
    malformed: 'This is not a test key: only letters and digits may follow pg_test_.',
    live: 'Live key refused. The console makes test-mode calls only: nothing was sent, and the key was forgotten. Use a key that begins with pg_test_.',
    other:
      'Refused: this does not begin with pg_test_. Nothing was sent, and what you entered was forgotten.',
  } as const;
  const AREAS: Readonly<Record<string, string>> = { checkout: 'links and pages', testkit: 'test kit' };
  const root = document.body.dataset.root ?? '';
  const elements = parts.createElements();
  const { el, byId } = elements;
  const gate = parts.createGate(root, parts.judgeKey);
  const knownIds = parts.createKnownIds();
  const keyForm = byId<HTMLFormElement>('key-form');
  const keyInput = byId<HTMLInputElement>('key');
  const keyMessage = byId('key-message');
  const keyState = byId('key-state');
  const search = byId<HTMLInputElement>('search');
  const list = byId('operations');
  const endpointsLink = byId<HTMLAnchorElement>('to-endpoints');
  const stage = byId('stage');
  const benches = new Map<string, Bench>();
  const announce = (text: string) => {
    byId('announcement').textContent = text;
  };

  // A user may submit before the OpenAPI document is loaded: the browser must never submit the form itself.
  const started = Promise.withResolvers<void>();
  keyForm.addEventListener('submit', async (event) => {
    event.preventDefault();
    await started.promise;
    connect();
  });
  keyInput.addEventListener('input', watchKey);

  let openApi: AnyJson;
  try {
    openApi = await gate.readDocument();
  } catch {
    stage.replaceChildren(
      el('p', { class: 'problem' }, 'The description of the service could not be read. Reload the page.'),
    );
    return;
  }
  const operations = parts.readOperations(openApi);
  // Without the test kit there is no test world to show.
  const hasTestKit = operations.some(({ area }) => area === 'testkit');
  byId('world').hidden = !hasTestKit;
  const answerView = parts.createAnswerView(root, elements);
  const schemaForm = parts.createSchemaForm(elements);
  const dialogs = parts.createDialogs(elements);
  const { confirmErasure } = parts.createConfirmation(elements, dialogs);
  const clock = parts.createMerchantClock();
  const calls = parts.createCalls({
    gate,
    operations,
    newIdempotencyKey: parts.uuidV7,
    onUnauthorized: (detail) => disconnect(`The service rejected this key. ${detail}`),
  });
  const handlers = { announce, onChange: refresh, open };
  const shared = { elements, gate, answerView, calls, clock, dialogs, knownIds, ...handlers };
  const workbench = parts.createWorkbench({
    ...shared,
    schemaForm,
    newIdempotencyKey: parts.uuidV7,
    confirmErasure: () => confirmErasure(live.describeContent()),
  });
  const live = parts.createLiveView(viewParts(byId('live-report'), 'testkit_ListDeliveries', 8));
  const endpoints = parts.createEndpointsView({
    ...viewParts(el('div', { class: 'report' }), 'webhooks_ListEndpointDeliveries', 20),
    formDialog: parts.createFormDialog({ ...shared, schemaForm }),
  });
  const polling = parts.createPolling({
    gate,
    pauseButton: byId('live-pause'),
    look: async (isStale) => {
      const views = hasTestKit ? [live, endpoints] : [endpoints];
      return (await Promise.all(views.map(({ look }) => look(isStale)))).every(Boolean);
    },
  });

  /** The parts of a view of endpoints. @param report the element that shows the results of actions */
  function viewParts(report: HTMLElement, logOperationId: string, logLimit: number) {
    const actions = parts.createActions({ ...shared, report });
    const cards = parts.createReceiverCards({ ...shared, actions, logOperationId, logLimit });
    return { ...shared, actions, cards, report };
  }

  function open(id: string, values: Readonly<Record<string, string>>): void {
    history.pushState(null, '', `#${id}`);
    showPlace(values, true);
  }

  function refresh(): void {
    polling.refresh();
  }

  function connect(): void {
    const verdict = gate.unlock(keyInput.value);
    keyInput.value = '';
    if (verdict !== 'test') {
      disconnect(REFUSALS[verdict]);
      return;
    }
    document.body.classList.add('connected');
    keyForm.hidden = true;
    keyState.hidden = false;
    showMessage('');
    byId('disconnect').focus();
    announce('Connected with a test key.');
    refresh();
  }

  function disconnect(message: string): void {
    gate.lock();
    polling.stop();
    live.clear();
    endpoints.clear();
    dialogs.closeAll();
    knownIds.forget();
    benches.clear();
    keyInput.value = '';
    document.body.classList.remove('connected');
    keyForm.hidden = false;
    keyState.hidden = true;
    showPlace({}, false);
    showMessage(message);
  }

  /** Screen readers announce the message, since it is an alert. */
  function showMessage(message: string): void {
    keyMessage.textContent = message;
    keyInput.setAttribute('aria-invalid', String(message !== ''));
  }

  function watchKey(): void {
    const verdict = parts.judgeKey(keyInput.value);
    const isRefused = verdict === 'live' || verdict === 'other' || verdict === 'malformed';
    if (isRefused) {
      gate.lock();
    }
    showMessage(isRefused ? REFUSALS[verdict] : '');
  }

  /** Shows the view that the address names: the endpoints, or the form of an operation. */
  function showPlace(values: Readonly<Record<string, string>>, isAsked: boolean): void {
    const id = location.hash.slice(1);
    const operation = operations.find((each) => each.id === id) ?? operations[0];
    if (`#${id}` === endpointsLink.hash) {
      stage.replaceChildren(endpoints.element);
      markLink(endpointsLink.hash);
      refresh();
    } else if (operation !== undefined) {
      stage.replaceChildren(benchOf(operation, values));
      markLink(`#${operation.id}`);
    }
    if (isAsked) {
      foldMenu();
      stage.querySelector('h2')?.focus({ preventScroll: true });
      stage.scrollIntoView({ block: 'start' });
    }
  }

  function benchOf(operation: ConsoleOperation, values: Readonly<Record<string, string>>): HTMLElement {
    const bench = benches.get(operation.id) ?? workbench.openBench(operation);
    benches.set(operation.id, bench);
    bench.show(values);
    return bench.element;
  }

  function markLink(hash: string): void {
    for (const link of [endpointsLink, ...list.querySelectorAll('a')]) {
      link.ariaCurrent = link.hash === hash ? 'page' : null;
    }
  }

  function fillMenu(): void {
    const groups = Map.groupBy(operations, ({ area }) => area);
    const sections = [...groups].map(([area, held]) =>
      el(
        'section',
        { class: 'area' },
        el('h3', {}, AREAS[area] ?? area),
        el('ul', {}, ...held.map((operation) => el('li', {}, menuLink(operation)))),
      ),
    );
    list.replaceChildren(
      ...sections,
      el('p', { class: 'hint', id: 'no-match', hidden: true }, 'No operation matches.'),
    );
  }

  function menuLink({ id, method, path, summary }: ConsoleOperation): HTMLElement {
    return el(
      'a',
      { href: `#${id}`, 'data-words': `${method} ${path} ${summary} ${id}`.toLowerCase() },
      el('span', { class: `method m-${method.toLowerCase()}` }, method),
      el('span', { class: 'what' }, summary, el('span', { class: 'path' }, path.replace(/^\/api\/v1/, ''))),
    );
  }

  function filterMenu(): void {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const link of list.querySelectorAll('a')) {
      const isLike = words.every((word) => link.dataset.words?.includes(word) === true);
      link.closest('li')?.toggleAttribute('hidden', !isLike);
    }
    for (const section of list.querySelectorAll('section')) {
      section.hidden = section.querySelector('li:not([hidden])') === null;
    }
    byId('no-match').hidden = list.querySelector('section:not([hidden])') !== null;
  }

  /** Arrow keys move through the list, from the search field and within the list. */
  function walkMenu(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const links = [...list.querySelectorAll<HTMLAnchorElement>('li:not([hidden]) a')];
    const place = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape' && search.value !== '') {
      search.value = '';
      filterMenu();
    } else if (event.key === 'Enter' && event.target === search) {
      links[0]?.click();
    } else if (step !== 0) {
      event.preventDefault();
      (place + step < 0 ? search : links[place + step])?.focus();
    }
  }

  // The address names the view, so a link within the page must not change it.
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    stage.focus();
  });
  const menu = byId<HTMLDetailsElement>('menu');
  const isWide = matchMedia('(min-width: 50rem)');
  function foldMenu(): void {
    menu.open = isWide.matches;
  }

  byId('disconnect').addEventListener('click', () => {
    disconnect('');
    keyInput.focus();
  });
  search.addEventListener('input', filterMenu);
  menu.addEventListener('keydown', walkMenu);
  isWide.addEventListener('change', foldMenu);
  addEventListener('hashchange', () => showPlace({}, true));
  addEventListener('keydown', (event) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      menu.open = true;
      search.focus();
    }
  });
  // A browser may keep a page with all its data after the user leaves, and show it again for the Back button.
  addEventListener('pagehide', () => disconnect(''));

  foldMenu();
  fillMenu();
  showPlace({}, false);
  started.resolve();
}
