import { parseArgs } from 'node:util';
import { toTimestamp } from '../../shared/domain/clock.ts';
import { refuseForeign, runCommand, unknownCommand } from './command.ts';
import { useService } from './target.ts';

/* npm run jobs: shows the jobs that failed for good, of the local service or of a deployed stack. */

const USAGE = `Usage:
  npm run jobs -- parked [--json]

  --stack NAME   of a deployed stack instead of the local service
  --dir PATH     where the local service keeps its data (default .local)
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      stack: { type: 'string' },
      dir: { type: 'string', default: '.local' },
    },
    allowPositionals: true,
  });
  const [command, ...args] = positionals;
  if (command !== 'parked') {
    throw unknownCommand(command, ['parked']);
  }
  refuseForeign(command, {}, args, [], []);
  await useService(values);
  const { readParkedJobs } = await import('../../shared/store/scheduler/parked.ts');
  const jobs = await readParkedJobs();
  if (values.json) {
    return console.log(JSON.stringify(jobs, null, 2));
  }
  const lines = jobs.map(
    ({ parkedAtMs, kind, worldId, reason, job }) =>
      `${toTimestamp(Number(parkedAtMs))}  ${kind}  world ${worldId}  ${reason}  ${job}`,
  );
  console.log(lines.length === 0 ? 'No job is parked.' : lines.join('\n'));
}

runCommand('npm run jobs', USAGE, main);
