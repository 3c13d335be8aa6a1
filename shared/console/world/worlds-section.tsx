/// <reference lib="dom" />

import type { OperationId, RowOf } from '../../story/operation-id.ts';
import { readOf } from '../../story/read-request.ts';
import { askForInput, type Question } from '../act/form-dialog.tsx';
import type { Choice } from '../act/schema-fields.tsx';
import type { Actions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { ShownTime } from '../show/shown-time.tsx';
import { worldViewTexts } from './world-view-texts.ts';

const texts = worldViewTexts.worlds;
/** How long a world can last, one day at most. */
const TTL_MINUTES = [60, 240, 720, 1_440];
const LENGTHS = TTL_MINUTES.map((minutes): Choice => [String(minutes), texts.length(minutes / 60)]);
/** The choice of a copy among the profiles of seeds, which has another operation. */
const COPY = 'copy';
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
      <WorldsTools current={current} names={worlds.map(({ name }) => name)} ask={ask} />
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

function fork(id: string, title: string, ask: AskForWorld): Promise<void> {
  return ask(
    'testkit.ForkTestWorld',
    {
      label: texts.fork,
      title,
      params: { id },
      values: { ttl_minutes: TTL_MINUTES[0] },
      fields: ['name', 'ttl_minutes'],
      choices: { ttl_minutes: LENGTHS },
    },
    texts.forked,
  );
}

/** The first name of a world that is free. */
function freeName(names: readonly string[]): string {
  let nth = 1;
  while (names.includes(`world-${nth}`)) {
    nth += 1;
  }
  return `world-${nth}`;
}

/** A world that is empty, seeded, or a copy of the one that is shown. */
function create(current: string | undefined, names: readonly string[], ask: AskForWorld): Promise<void> {
  const copy: Choice = [COPY, texts.content.copy];
  const { empty, small, month, e2e } = texts.content;
  const profiles: readonly Choice[] = Object.entries({ small, month, e2e });
  return ask(
    'testkit.CreateTestWorld',
    {
      label: texts.create,
      title: texts.createWorld,
      values: { name: freeName(names), ttl_minutes: TTL_MINUTES[0] },
      fields: ['name', 'ttl_minutes', 'profile'],
      choices: {
        ttl_minutes: LENGTHS,
        profile: [['', empty], ...(current === undefined ? [] : [copy]), ...profiles],
      },
      ...(current !== undefined && {
        elsewhere: {
          field: 'profile',
          value: COPY,
          operationId: 'testkit.ForkTestWorld',
          params: { id: current },
        },
      }),
    },
    texts.created,
  );
}

interface WorldsToolsProps {
  /** The world that is shown, once it is known. */
  readonly current: string | undefined;
  /** Of the worlds that there are. */
  readonly names: readonly string[];
  readonly ask: AskForWorld;
}

function WorldsTools({ current, names, ask }: WorldsToolsProps) {
  const { gate, switchWorld } = useDashboard();
  const firstId = gate.firstWorld();
  return (
    <div class="tools">
      <button type="button" class="small" onClick={() => void create(current, names, ask)}>
        {texts.createWorld}
      </button>
      {current !== undefined && (
        <button type="button" class="small" onClick={() => void fork(current, texts.forkThis, ask)}>
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
    ask(
      'testkit.DeleteTestWorld',
      { label: texts.delete, title: texts.deleteNamed(name), about: texts.deletes, params: { id } },
      texts.deleted,
    );
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
        <button type="button" class="small" onClick={() => void fork(id, texts.forkNamed(name), ask)}>
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
