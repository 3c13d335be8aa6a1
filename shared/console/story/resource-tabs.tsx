/// <reference lib="dom" />
import { useRef, useState } from 'preact/hooks';
import { commandsOf } from '../../story/commands.ts';
import type { ListedRow, ResourceGetId } from '../../story/lists.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { ShownText } from '../show/shown-text.tsx';
import { storyViewTexts } from './story-view-texts.ts';

interface TabsProps {
  readonly json: ListedRow;
  /** The operation that retrieves it. */
  readonly getId: ResourceGetId;
}

/** A resource as JSON, and the commands that retrieve it. Arrow keys move through the tabs. */
export function ResourceTabs({ json, getId }: TabsProps) {
  const { root, calls } = useDashboard();
  const [chosen, choose] = useState('JSON');
  const list = useRef<HTMLDivElement>(null);
  const operation = calls.operationOf(getId);
  const path = operation.path.replace(/\{\w+\}/, json.id);
  const request = { method: 'GET', path, headers: {}, isKeyed: true };
  const tabs = [
    { name: 'JSON', text: JSON.stringify(json, null, 2) },
    ...commandsOf(location.origin + root, operation, request),
  ];
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const index = tabs.findIndex(({ name }) => name === chosen);
    const next = (index + step + tabs.length) % tabs.length;
    if (step !== 0) {
      event.preventDefault();
      choose(tabs[next]?.name ?? 'JSON');
      list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    }
  };
  return (
    <div class="stack">
      <div
        class="tools"
        role="tablist"
        aria-label={storyViewTexts.resource.showAs}
        ref={list}
        onKeyDown={walk}
      >
        {tabs.map(({ name }) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            class="small"
            aria-selected={name === chosen ? 'true' : 'false'}
            aria-controls="tab-panel"
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        {shown !== undefined && <ShownText key={shown.name} name={shown.name} text={shown.text} />}
      </div>
    </div>
  );
}
