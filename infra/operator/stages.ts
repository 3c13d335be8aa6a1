import type { Acts, GivenTo } from '../terminal/command.ts';
import type { STAGES } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/output.ts';
import { listStages, outputOf } from './cloud.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function show(values: GivenTo<typeof STAGES, ''>): Promise<void> {
  const stages = (await listStages()).map(({ stage, stack }) => ({
    stage,
    status: String(stack.StackStatus),
    created_at: stack.CreationTime?.toISOString() ?? null,
    updated_at: stack.LastUpdatedTime?.toISOString() ?? null,
    base_url: outputOf(stack, 'BaseUrl'),
  }));
  if (values.json) {
    return sayJson(stages, 2);
  }
  if (stages.length === 0) {
    return say('No stage is deployed here.');
  }
  const width = Math.max(...stages.map(({ stage }) => stage.length));
  for (const { stage, status, created_at, base_url } of stages) {
    say(`${stage.padEnd(width)}  ${ageSince(created_at)}  ${status}  ${base_url ?? ''}`);
  }
}

function ageSince(createdAt: string | null): string {
  const ageMs = createdAt === null ? 0 : Date.now() - Date.parse(createdAt);
  const age = ageMs < 2 * DAY_MS ? `${Math.floor(ageMs / HOUR_MS)} h` : `${Math.floor(ageMs / DAY_MS)} d`;
  return age.padStart(5);
}

export const acts: Acts<typeof STAGES> = { '': show };
