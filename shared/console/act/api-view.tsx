/// <reference lib="dom" />
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { actTexts } from './act-texts.ts';
import { Workbench } from './workbench.tsx';

const texts = actTexts.operations;
const AREAS: Readonly<Record<string, string>> = texts.areas;

/** Every operation, to try with the test key: `#/api/{operation}`. */
export function ApiView({ route }: { readonly route: DashboardRoute }) {
  const { described, readDocument } = useDashboard();
  useEffect(() => void readDocument(), []);
  const operation =
    described?.find(({ id }) => id === route.path[1]) ??
    described?.find(({ id }) => id === 'payments.CreatePayment');
  if (described === null || operation === undefined) {
    return <p class="hint">{texts.reading}</p>;
  }
  return (
    <div class="api">
      <OperationMenu operations={described} current={operation.id} />
      <Workbench
        key={`${operation.id} ${JSON.stringify(route.query)}`}
        operation={operation}
        given={route.query}
      />
    </div>
  );
}

interface OperationMenuProps {
  readonly operations: readonly ConsoleOperation[];
  readonly current: string;
}

function OperationMenu({ operations, current }: OperationMenuProps) {
  const [sought, seek] = useState('');
  const field = useSearchShortcut();
  const words = sought.toLowerCase().split(/\s+/);
  const found = operations.filter(({ id, method, path, summary }) => {
    const text = `${method} ${path} ${summary} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = Map.groupBy(found, ({ area }) => area);
  return (
    <nav class="operations" aria-label={texts.title}>
      <h2 class="unseen">{texts.title}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move the focus among the links within */}
      <div onKeyDown={(event) => moveFocus(event, seek)}>
        <label for="find-operation">{texts.find}</label>
        <input
          id="find-operation"
          ref={field}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={texts.findExample}
          value={sought}
          onInput={({ currentTarget }) => seek(currentTarget.value)}
        />
        <div class="operation-list">
          {[...groups].map(([area, held]) => (
            <section key={area} class="area">
              <h3>{AREAS[area] ?? area}</h3>
              <ul>
                {held.map((operation) => (
                  <MenuItem key={operation.id} operation={operation} isCurrent={operation.id === current} />
                ))}
              </ul>
            </section>
          ))}
          {found.length === 0 && <p class="hint">{texts.noMatch}</p>}
        </div>
      </div>
    </nav>
  );
}

/** The field that Ctrl + K focuses. */
function useSearchShortcut(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return field;
}

/** Arrow keys move through the list, from the search field and within the list. */
function moveFocus(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  seek: (text: string) => void,
): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const menu = event.currentTarget;
  const links = [...menu.querySelectorAll<HTMLAnchorElement>('a')];
  const index = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Escape') {
    seek('');
  } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    links[0]?.click();
  } else if (step !== 0) {
    event.preventDefault();
    const target = index + step < 0 ? menu.querySelector<HTMLElement>('input') : links[index + step];
    target?.focus();
  }
}

function MenuItem({
  operation,
  isCurrent,
}: {
  readonly operation: ConsoleOperation;
  readonly isCurrent: boolean;
}) {
  const { id, method, path, summary } = operation;
  return (
    <li>
      <a href={addressOf(['api', id])} aria-current={isCurrent ? 'page' : undefined}>
        <span class={`method m-${method.toLowerCase()}`}>{method}</span>
        <span class="what">
          {summary}
          <span class="path">{path.replace(/^\/api\/v1/, '')}</span>
        </span>
      </a>
    </li>
  );
}
