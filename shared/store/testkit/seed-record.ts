import { countsAsStored } from '../../domain/resource.ts';
import { numbersOf, type SeedCounts, type SeedRecord, type SeedReport } from '../../domain/testkit/seed.ts';
import type { SeedProfile } from '../../domain/testkit/seed-script.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItem, insert, update } from '../table/item.ts';
import { seedKey, unlistedIndex } from '../table/keys.ts';
import { takeNumbers } from '../worlds/world.ts';

export async function findSeed(world: World, profile: SeedProfile): Promise<SeedRecord | null> {
  const item = await getItem(seedKey(world, profile));
  if (item === undefined) {
    return null;
  }
  const { report, ...record } = fieldsOf<SeedRecord & { report: string | null }>(item);
  return {
    ...record,
    countsBefore: countsAsStored(record.countsBefore),
    report: report === null ? null : reportAsStored(JSON.parse(report)),
  };
}

function reportAsStored({ created, skipped, ...report }: SeedReport): SeedReport {
  const whole = ({ made, sinks }: SeedCounts): SeedCounts => ({ made: countsAsStored(made), sinks });
  return { ...report, created: whole(created), skipped: whole(skipped) };
}

/**
 * The writes that start a seeding: they store its record and take the numbers that it needs. They conflict where the
 * world has changed since it was read, or the seeding was started already.
 */
export function beginSeed(world: World, record: SeedRecord): Write[] {
  const { profile, actionId } = record;
  return [
    insert({ ...seedKey(world, profile), ...unlistedIndex(world, actionId), ...record }),
    takeNumbers(world, numbersOf(profile)),
  ];
}

/** The writes that take over a seeding whose request has died. They conflict where another request was faster. */
export function takeOverSeed(world: World, found: SeedRecord, next: SeedRecord): Write[] {
  return [
    update(seedKey(world, found.profile), 'SET #owner = :owner, leaseEndsAtMs = :next', {
      condition: 'leaseEndsAtMs = :read AND report = :none',
      names: { '#owner': 'owner' },
      values: {
        ':owner': next.owner,
        ':next': next.leaseEndsAtMs,
        ':read': found.leaseEndsAtMs,
        ':none': null,
      },
    }),
  ];
}

/** Ends a seeding. If several requests worked on it, only one of them can end it. */
export function endSeed(world: World, { profile, actionId }: SeedRecord, report: SeedReport): Write {
  return update(seedKey(world, profile), 'SET report = :report', {
    condition: 'actionId = :action AND report = :none',
    values: { ':action': actionId, ':none': null, ':report': JSON.stringify(report) },
  });
}
