import type { Stack } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from 'vitest';
import { requireKept, settingsToKeep } from '../../../infra/operator/kept-table.ts';

const TABLE = 'payments-production-TableA1-restored-20261129T031500Z/stream/2026-11-30T04:12:33.871';
const OTHER = 'payments-production-TableA1/stream/2026-01-01T00:00:00.000';

function stackWith(outputs: Readonly<Record<string, string>>): Stack {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  return {
    StackName: 'payments-production',
    StackStatus: 'UPDATE_COMPLETE',
    CreationTime: new Date(),
    Outputs,
  };
}

const WORKING = stackWith({ ChosenTable: TABLE });
const PAUSED = stackWith({ ChosenTable: TABLE, Workers: 'off' });

describe('a deployment', () => {
  test('of a stage that was never restored is told nothing', () => {
    expect(settingsToKeep(null, [])).toEqual([]);
    expect(settingsToKeep(stackWith({ TableName: 'x' }), ['-c', 'testKit=on'])).toEqual([]);
  });

  test('keeps the restored table of a stage, and keeps it paused or working', () => {
    expect(settingsToKeep(WORKING, [])).toEqual(['-c', `table=${TABLE}`, '-c', 'workers=on']);
    expect(settingsToKeep(PAUSED, ['-c', 'alarms=on'])).toEqual([
      '-c',
      `table=${TABLE}`,
      '-c',
      'workers=off',
    ]);
  });

  test('lets a paused stage work where somebody says so', () => {
    expect(settingsToKeep(PAUSED, ['-c', 'workers=on'])).toEqual(['-c', `table=${TABLE}`]);
  });

  test('keeps a stage paused that is on its own table', () => {
    expect(settingsToKeep(stackWith({ Workers: 'off' }), [])).toEqual(['-c', 'workers=off']);
  });

  test.each([
    [WORKING, [`-c`, `table=${OTHER}`]],
    [WORKING, [`-c`, `table=${OTHER}`, '-c', 'workers=on']],
    [null, [`--context=table=${TABLE}`, `--context=workers=on`]],
    [stackWith({}), [`-ctable=${TABLE}`]],
  ])('is refused where it would begin to work on a table that nobody has looked at', (deployed, given) => {
    expect(() => settingsToKeep(deployed, given)).toThrow('add -c workers=off');
    const paused = given.filter((arg) => !arg.includes('workers=on'));
    expect(settingsToKeep(deployed, [...paused, '-c', 'workers=off'])).toEqual([]);
  });
});

describe('what a pipeline has built', () => {
  const deploy = (deployed: Stack | null, built: Readonly<Record<string, string>>) => {
    const Outputs = Object.fromEntries(Object.entries(built).map(([name, Value]) => [name, { Value }]));
    requireKept(deployed, { Resources: {}, Outputs }, 'payments-production');
  };

  test('is refused without the restored table of the stage: it would make an empty one', () => {
    expect(() => deploy(WORKING, {})).toThrow(`Build it with CHOSEN_TABLE=${TABLE} and WORKERS=on.`);
    expect(() => deploy(WORKING, { ChosenTable: OTHER })).toThrow('without its data');
  });

  test('is refused where it would end a pause, or begin to work on another table', () => {
    expect(() => deploy(PAUSED, { ChosenTable: TABLE })).toThrow('would begin to work');
    expect(() => deploy(stackWith({}), { ChosenTable: TABLE })).toThrow('add -c workers=off');
  });

  test('is deployed where it has the table and the pause of the stage', () => {
    deploy(null, {});
    deploy(WORKING, { ChosenTable: TABLE });
    deploy(PAUSED, { ChosenTable: TABLE, Workers: 'off' });
    deploy(stackWith({}), { ChosenTable: TABLE, Workers: 'off' });
  });
});
