import { DAY_MS, HOUR_MS } from '../../shared/domain/clock.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import type { STAGES } from '../terminal/options.ts';
import { complain, say, sayJson } from '../terminal/output.ts';
import { existingBranches } from './branches.ts';
import { listStages, outputOf } from './cloud.ts';
import { heldLines, heldResources, removeStage } from './remove-stage.ts';
import { useStandIn } from './use-stand-in.ts';
import { type RemovalChoice, whyRemovable } from './why-removable.ts';

type GivenToStages = GivenTo<typeof STAGES, ''>;

async function show(values: GivenToStages): Promise<void> {
  const isChoosing = values['older-than'] !== undefined || values.ended || values['without-branch'];
  if (values.destroy && !isChoosing) {
    throw new UsageError('--destroy needs a choice: --older-than DURATION, --ended or --without-branch.');
  }
  if (values.target !== undefined) {
    await useStandIn(values.target);
  }
  const found = await findStages(values);
  const chosen = isChoosing ? found.filter(({ why_removable: why }) => why.length > 0) : found;
  const shown = chosen.map(({ stack, ...fields }) => fields);
  if (values.json) {
    sayJson(shown, 2);
  } else if (shown.length === 0) {
    say(isChoosing ? 'No stage is to be removed.' : 'No stage is deployed here.');
  } else {
    say(...linesOf(shown));
  }
  if (values.destroy && chosen.length > 0) {
    await removeAll(chosen, values.yes);
  }
}

async function findStages(values: GivenToStages) {
  const olderThan = values['older-than'];
  const choice: RemovalChoice = {
    olderThanMs: olderThan === undefined ? undefined : olderThan * 1_000,
    isEnded: values.ended,
    branches: values['without-branch'] ? existingBranches() : undefined,
  };
  const nowMs = Date.now();
  const stages = await listStages();
  return Promise.all(
    stages.map(async ({ stack, ...facts }) => {
      const deployedAtMs = Number(stack.LastUpdatedTime ?? stack.CreationTime ?? nowMs);
      const isProtected = stack.EnableTerminationProtection === true;
      return {
        stack,
        stage: facts.stage,
        status: String(stack.StackStatus),
        created_at: stack.CreationTime?.toISOString() ?? null,
        updated_at: stack.LastUpdatedTime?.toISOString() ?? null,
        base_url: outputOf(stack, 'BaseUrl'),
        branch: facts.branch,
        owner: facts.owner,
        ends_at: facts.endsAt,
        why_removable: whyRemovable({ ...facts, deployedAtMs, isProtected }, choice, nowMs),
        held_by: await heldResources(stack),
      };
    }),
  );
}

type FoundStage = Awaited<ReturnType<typeof findStages>>[number];

/** @throws Error that names those that could not be removed: the others are */
async function removeAll(stages: readonly FoundStage[], isSure: boolean): Promise<void> {
  const names = stages.map(({ stage }) => stage).join(', ');
  if (!isSure && !(await isMeant(`This removes ${names} with all their data.`, String(stages.length)))) {
    throw new Error('Nothing was removed.');
  }
  const failures: string[] = [];
  for (const { stage, stack } of stages) {
    try {
      await removeStage(stage, stack);
      complain(`"${stage}" is removed with all its data.`);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
}

function linesOf(stages: readonly Omit<FoundStage, 'stack'>[]): string[] {
  const width = Math.max(...stages.map(({ stage }) => stage.length));
  return stages.flatMap(({ stage, created_at, status, base_url, held_by, ...facts }) => {
    const { owner, branch, ends_at, why_removable } = facts;
    const notes = [
      ...(branch === null ? [] : [`branch ${branch}`]),
      ...(owner === null ? [] : [`of ${owner}`]),
      ...(ends_at === null ? [] : [`until ${ends_at.slice(0, 10)}`]),
      ...why_removable,
    ];
    const line = `${stage.padEnd(width)}  ${ageSince(created_at)}  ${status}  ${base_url ?? ''}`;
    return [notes.length === 0 ? line : `${line}  ${notes.join(', ')}`, ...heldLines(held_by)];
  });
}

function ageSince(createdAt: string | null): string {
  const ageMs = createdAt === null ? 0 : Date.now() - Date.parse(createdAt);
  const age = ageMs < 2 * DAY_MS ? `${Math.floor(ageMs / HOUR_MS)} h` : `${Math.floor(ageMs / DAY_MS)} d`;
  return age.padStart(5);
}

export const acts: Acts<typeof STAGES> = { '': show };
