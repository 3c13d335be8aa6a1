import { toTimestamp } from '../../shared/domain/clock.ts';
import { type Job, subjectOf } from '../../shared/domain/job.ts';
import type { World } from '../../shared/domain/world.ts';
import type { UnknownReason } from '../../shared/providers/provider.ts';
import type { Acts, GivenTo } from '../terminal/command.ts';
import { bangkokTime, tableLines } from '../terminal/lines.ts';
import type { JOBS } from '../terminal/options.ts';
import { print } from '../terminal/print.ts';
import { useService } from './target.ts';
import { UNKNOWN_REASONS } from './unknown-reasons.ts';

async function show(given: GivenTo<typeof JOBS, 'parked'>, find: typeof findParked | typeof findUnknown) {
  await useService(given);
  const { data, lines, none } = await find();
  print(given.json, data, ...(lines.length === 0 ? [none] : lines));
}

async function findParked() {
  const { readParkedJobs } = await import('../../shared/store/scheduler/parked.ts');
  const data = await readParkedJobs();
  const lines = data.map(
    ({ parkedAtMs, kind, worldId, reason, job }) =>
      `${bangkokTime(toTimestamp(Number(parkedAtMs)))}  ${kind}  world ${worldId}  ${reason}  ${job}`,
  );
  return { data, lines, none: 'No job is parked.' };
}

async function findUnknown() {
  const { listLiveWorlds } = await import('../../shared/store/worlds/merchant.ts');
  const found = [];
  for (const world of await listLiveWorlds()) {
    found.push(...(await readUnknown(world)));
  }
  const data = found.toSorted((one, other) => one.unknown_since.localeCompare(other.unknown_since));
  const rows = data.map((row) => ({ ...row, why: wordsFor(row) }));
  const lines = tableLines(rows, ['unknown_since', 'merchant', 'job', 'id', 'status', 'why', 'next_at']);
  return { data, lines, none: 'No outcome is unknown.' };
}

type UnknownJob = Extract<Job, { readonly unknown?: object }>;

/** The unknown outcomes of a live world; `status`: of the stored payment or refund, null if none is stored. */
async function readUnknown(world: World) {
  const [{ readJobs }, { jobPks }, { find }] = await Promise.all([
    import('../../shared/store/scheduler/job.ts'),
    import('../../shared/store/table/keys.ts'),
    import('../../shared/store/table/entity.ts'),
  ]);
  const jobs = (await readJobs(jobPks(world))).filter((job): job is UnknownJob => 'unknown' in job);
  return Promise.all(
    jobs.map(async (job) => {
      const id = subjectOf(job);
      const about = await ('refundId' in job ? find('refund', world, id) : find('payment', world, id));
      const payment =
        about !== null && 'paymentId' in about ? await find('payment', world, about.paymentId) : about;
      const sentTo = 'sent' in job ? job.sent.account : payment?.attempt?.account;
      const account = sentTo ?? world.provider;
      return {
        merchant: world.merchant,
        job: job.kind,
        id,
        status: about?.status ?? null,
        provider: account?.kind ?? null,
        account: account?.account ?? null,
        unknown_since: toTimestamp(Number(job.unknown?.sinceMs)),
        why: String(job.unknown?.why),
        next_at: toTimestamp(job.dueAtMs),
      };
    }),
  );
}

interface Unknown {
  readonly provider: string | null;
  readonly account: string | null;
  readonly why: string;
}

function wordsFor({ provider, account, why }: Unknown): string {
  if (why === ('account-not-connected' satisfies UnknownReason)) {
    return `${provider} account ${account} is not connected`;
  }
  return `${provider} ${Object.entries(UNKNOWN_REASONS).find(([reason]) => reason === why)?.[1] ?? why}`;
}

export const acts: Acts<typeof JOBS> = {
  parked: (given) => show(given, findParked),
  unknown: (given) => show(given, findUnknown),
};
