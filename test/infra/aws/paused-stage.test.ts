import { describe, expect, test } from 'vitest';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { textOf } from './describe-template.ts';
import { everyTemplate } from './stages.ts';
import { STACK, synthesized } from './synthesized.ts';

const NAME = `${STACK}-Table0A1B2C3D-1ABCDEFGHIJKL-restored-20261129T031500Z`;
const CHOICE = `${NAME}/stream/2026-11-30T04:12:33.871`;
const table = { name: NAME, streamLabel: '2026-11-30T04:12:33.871' };
const { template: restored } = synthesized({ isProduction: true, table, isPaused: false });
const { template: paused } = synthesized({ isProduction: true, table, isPaused: true });
const [, inProduction] = everyTemplate;

/** Every resource of a stage as text, by type: references are written out. */
function textsOf(each: typeof restored): string[] {
  const resources: Record<string, object> = each.toJSON().Resources;
  return Object.values(resources).map((resource) => textOf(resource));
}

describe('a stage on a restored table', () => {
  test('makes no table of its own, and its old one is kept when the stack leaves it', () => {
    expect(resourcesOf(restored, 'AWS::DynamoDB::Table')).toEqual({});
    const [old] = Object.values(resourcesOf(inProduction as typeof restored, 'AWS::DynamoDB::Table'));
    expect(old).toMatchObject({ DeletionPolicy: 'Retain', Properties: { DeletionProtectionEnabled: true } });
  });

  test('has the restored table wherever its own was: functions, grants, stream and alarms', () => {
    const [own = ''] = Object.keys(resourcesOf(inProduction as typeof restored, 'AWS::DynamoDB::Table'));
    const before = textsOf(inProduction as typeof restored).filter((text) => text.includes(`<${own}`));
    const after = textsOf(restored).filter((text) => text.includes(NAME));
    expect(after).toHaveLength(before.length);
    expect(textsOf(restored).filter((text) => text.includes(own))).toEqual([]);
    for (const [type, least] of [
      ['AWS::Lambda::Function', 50],
      ['AWS::IAM::Role', 15],
      ['AWS::CloudWatch::Alarm', 2],
      ['AWS::CloudWatch::Dashboard', 1],
      ['AWS::Lambda::EventSourceMapping', 2],
    ] as const) {
      expect(after.filter((text) => text.includes(`"${type}"`)).length, type).toBeGreaterThanOrEqual(least);
    }
  });

  test('reads the stream of that table, by its label', () => {
    const arns = Object.values(resourcesOf(restored, 'AWS::Lambda::EventSourceMapping'))
      .map(({ Properties }) => textOf(Properties.EventSourceArn))
      .filter((arn) => arn.includes(':dynamodb:'));
    expect(arns).toHaveLength(2);
    expect(arns.every((arn) => arn.endsWith(`:table/${CHOICE}`))).toBe(true);
  });

  test('says so in its outputs, so that the next deployment keeps it', () => {
    expect(restored.toJSON().Outputs).toMatchObject({
      ChosenTable: { Value: CHOICE },
      TableName: { Value: NAME },
    });
    expect(restored.toJSON().Outputs).not.toHaveProperty('Workers');
    expect(paused.toJSON().Outputs).toMatchObject({ Workers: { Value: 'off' } });
  });
});

describe('a paused stage', () => {
  test('has every rule and every source of its workers off; one that works has them on', () => {
    const statesOf = (each: typeof paused) => [
      ...Object.values(resourcesOf(each, 'AWS::Events::Rule')).map(({ Properties }) => Properties.State),
      ...Object.values(resourcesOf(each, 'AWS::Lambda::EventSourceMapping')).map(({ Properties }) =>
        Properties.Enabled === false ? 'DISABLED' : 'ENABLED',
      ),
    ];
    expect(statesOf(paused)).toEqual(Array(11).fill('DISABLED'));
    expect(statesOf(restored)).toEqual(Array(11).fill('ENABLED'));
  });

  test('takes no request, so that none makes a job, moves money or sends a ping', () => {
    const settingsOf = (each: typeof paused) =>
      Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage')).flatMap(
        ({ Properties }) => Properties.MethodSettings,
      );
    expect(settingsOf(paused)).toEqual([
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 0,
        ThrottlingBurstLimit: 0,
      }),
    ]);
    expect(settingsOf(restored).some(({ ThrottlingRateLimit }) => ThrottlingRateLimit === 0)).toBe(false);
  });
});
