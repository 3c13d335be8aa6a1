/// <reference lib="dom" />

import type { OperationId, RowOf } from '../../story/operation-id.ts';
import { readOf } from '../../story/read-request.ts';
import { askForInput, type Question } from '../act/form-dialog.tsx';
import type { Actions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { ShownTime } from '../show/shown-time.tsx';
import { worldViewTexts } from './world-view-texts.ts';

const texts = worldViewTexts.worlds;
const WORLDS = readOf('testkit.ListTestWorlds', {}, 'calm');

/** The test worlds that the key sees: each is shown, forked or deleted; and the way back to the merchant's own. */
export function WorldsSection({ actions }: { readonly actions: Actions }) {
  const dashboard = useDashboard();
  const current = useRead('keys.GetKey').response?.body?.world;
  const [listed] = useReads([WORLDS]);
  const worlds = listed.response?.body?.data ?? [];

  const ask: AskForWorld = async (operationId, question, done) => {
    if ((await askForInput(dashboard, operationId, question)) !== null) {
      actions.say(done);
      dashboard.reads.refresh();
    }
  };

  return (
    <section>
      <h3>{texts.title}</h3>
      <WorldsTools current={current} ask={ask} />
      <ul class="worlds">
        {worlds.map((world) => (
          <WorldItem key={world.id} world={world} isCurrent={world.id === current} ask={ask} />
        ))}
      </ul>
    </section>
  );
}

type AskForWorld = <Id extends OperationId>(
  operationId: Id,
  question: Question<Id>,
  done: string,
) => Promise<void>;

function fork(id: string, ask: AskForWorld): Promise<void> {
  const question = { label: texts.fork, about: id, params: { id }, fields: ['name', 'ttl_minutes'] } as const;
  return ask('testkit.ForkTestWorld', question, texts.forked);
}

interface WorldsToolsProps {
  /** The world that is shown, once it is known. */
  readonly current: string | undefined;
  readonly ask: AskForWorld;
}

function WorldsTools({ current, ask }: WorldsToolsProps) {
  const { gate, switchWorld } = useDashboard();
  const firstId = gate.firstWorld();
  const create = () =>
    ask(
      'testkit.CreateTestWorld',
      { label: texts.create, fields: ['name', 'ttl_minutes', 'profile'] },
      texts.created,
    );
  return (
    <div class="tools">
      <button type="button" class="small" onClick={() => void create()}>
        {texts.createWorld}
      </button>
      {current !== undefined && (
        <button type="button" class="small" onClick={() => void fork(current, ask)}>
          {texts.forkThis}
        </button>
      )}
      {firstId !== null && firstId !== current && (
        <button type="button" class="small" onClick={() => switchWorld(firstId)}>
          {texts.backToFirst}
        </button>
      )}
    </div>
  );
}

interface WorldProps {
  readonly world: RowOf<'testkit.ListTestWorlds'>;
  readonly isCurrent: boolean;
  readonly ask: AskForWorld;
}

function WorldItem({ world: { id, name, expires_at }, isCurrent, ask }: WorldProps) {
  const { gate, switchWorld } = useDashboard();
  const remove = () =>
    ask('testkit.DeleteTestWorld', { label: texts.delete, about: id, params: { id } }, texts.deleted);
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <b>{name}</b> <span class="hint">{texts.ends}</span> <ShownTime at={expires_at} />
      <div class="tools">
        {isCurrent ? (
          <span class="hint">{texts.isShown}</span>
        ) : gate.knowsWorld(id) ? (
          <button type="button" class="small" onClick={() => switchWorld(id)}>
            {texts.switchTo(name)}
          </button>
        ) : (
          <span class="hint">{texts.hasNoKey}</span>
        )}
        <button type="button" class="small" onClick={() => void fork(id, ask)}>
          {texts.forkNamed(name)}
        </button>
        {!isCurrent && (
          <button type="button" class="small danger" onClick={() => void remove()}>
            {texts.deleteNamed(name)}
          </button>
        )}
      </div>
    </li>
  );
}
