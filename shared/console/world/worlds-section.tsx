/// <reference lib="dom" />

import type { OperationId, RowOf } from '../../story/operation-id.ts';
import { readOf } from '../../story/read-request.ts';
import { askForInput, type Question } from '../act/form-dialog.tsx';
import type { Actions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { ShownTime } from '../show/shown-time.tsx';

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
      <h3>Worlds</h3>
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
  const question = { label: 'Fork', about: id, params: { id }, fields: ['name', 'ttl_minutes'] } as const;
  return ask('testkit.ForkTestWorld', question, 'The fork was created.');
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
      { label: 'Create', fields: ['name', 'ttl_minutes', 'profile'] },
      'The world was created.',
    );
  return (
    <div class="tools">
      <button type="button" class="small" onClick={() => void create()}>
        Create a world
      </button>
      {current !== undefined && (
        <button type="button" class="small" onClick={() => void fork(current, ask)}>
          Fork this world
        </button>
      )}
      {firstId !== null && firstId !== current && (
        <button type="button" class="small" onClick={() => switchWorld(firstId)}>
          Back to the first world
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
    ask('testkit.DeleteTestWorld', { label: 'Delete', about: id, params: { id } }, 'The world was deleted.');
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <b>{name}</b> <span class="hint">ends</span> <ShownTime at={expires_at} />
      <div class="tools">
        {isCurrent ? (
          <span class="hint">Shown now.</span>
        ) : gate.knowsWorld(id) ? (
          <button type="button" class="small" onClick={() => switchWorld(id)}>
            Switch to {name}
          </button>
        ) : (
          <span class="hint">Only those who created it have its key.</span>
        )}
        <button type="button" class="small" onClick={() => void fork(id, ask)}>
          Fork {name}
        </button>
        {!isCurrent && (
          <button type="button" class="small danger" onClick={() => void remove()}>
            Delete {name}
          </button>
        )}
      </div>
    </li>
  );
}
