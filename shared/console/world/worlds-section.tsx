/// <reference lib="dom" />

import type { OperationId } from '../../story/operation-id.ts';
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
  const current = useRead('keys.GetKey').answer?.body?.world;
  const [listed] = useReads([WORLDS]);
  const worlds = listed.answer?.body?.data ?? [];
  const { gate, switchWorld } = dashboard;
  const firstId = gate.firstWorld();

  async function ask<Id extends OperationId>(
    operationId: Id,
    question: Question<Id>,
    done: string,
  ): Promise<void> {
    if ((await askForInput(dashboard, operationId, question)) !== null) {
      actions.say(done);
      dashboard.reads.refresh();
    }
  }

  const fork = (id: string) =>
    ask(
      'testkit.ForkTestWorld',
      { label: 'Fork', about: id, params: { id }, fields: ['name', 'ttl_minutes'] },
      'The fork was created.',
    );

  return (
    <section>
      <h3>Worlds</h3>
      <div class="tools">
        <button
          type="button"
          class="small"
          onClick={() =>
            void ask(
              'testkit.CreateTestWorld',
              { label: 'Create', fields: ['name', 'ttl_minutes', 'profile'] },
              'The world was created.',
            )
          }
        >
          Create a world
        </button>
        {current !== undefined && (
          <button type="button" class="small" onClick={() => void fork(current)}>
            Fork this world
          </button>
        )}
        {firstId !== null && firstId !== current && (
          <button type="button" class="small" onClick={() => switchWorld(firstId)}>
            Back to the first world
          </button>
        )}
      </div>
      <ul class="worlds">
        {worlds.map(({ id, name, expires_at }) => (
          <li key={id} aria-current={id === current ? 'true' : undefined}>
            <b>{name}</b> <span class="hint">ends</span> <ShownTime at={expires_at} />
            <div class="tools">
              {id === current ? (
                <span class="hint">Shown now.</span>
              ) : gate.knowsWorld(id) ? (
                <button type="button" class="small" onClick={() => switchWorld(id)}>
                  Switch to {name}
                </button>
              ) : (
                <span class="hint">Only those who created it have its key.</span>
              )}
              <button type="button" class="small" onClick={() => void fork(id)}>
                Fork {name}
              </button>
              {id !== current && (
                <button
                  type="button"
                  class="small danger"
                  onClick={() =>
                    void ask(
                      'testkit.DeleteTestWorld',
                      { label: 'Delete', about: id, params: { id } },
                      'The world was deleted.',
                    )
                  }
                >
                  Delete {name}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
