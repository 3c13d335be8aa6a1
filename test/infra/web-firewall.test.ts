import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { PaymentStack } from '../../infra/payment-stack.ts';
import { entryOf } from '../../shared/errors/catalogue.ts';

/** Requests a second of one key under any contract: more would take the capacity of others. */
const KEY_RATE = 400;
/** The capacity units of one web ACL without a quota increase. */
const CAPACITY_MAX = 1_500;
const CAPACITY: Readonly<Record<string, number>> = {
  AWSManagedRulesCommonRuleSet: 700,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
};

const outdir = mkdtempSync(path.join(tmpdir(), 'payments-firewall-'));
const [inTest, production] = [false, true].map((isProduction) => {
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  return Template.fromStack(new PaymentStack(app, 'payments-shielded', { isProduction }));
}) as [Template, Template];
const [acl] = Object.values(production.findResources('AWS::WAFv2::WebACL')).map(
  ({ Properties }) => Properties,
);
// biome-ignore lint/suspicious/noExplicitAny: rules as CloudFormation spells them
const rules: any[] = acl?.Rules ?? [];
const ruleOf = (name: string) => rules.find(({ Name }) => Name === name);
const rates = rules.filter(({ Statement }) => Statement.RateBasedStatement !== undefined);

afterAll(() => rm(outdir, { recursive: true, force: true }));

describe('a production stage', () => {
  test('has a firewall that allows what no rule refuses', () => {
    const [stageId = ''] = Object.keys(production.findResources('AWS::ApiGateway::Stage'));
    const [association, ...others] = Object.values(production.findResources('AWS::WAFv2::WebACLAssociation'));
    expect(others).toEqual([]);
    expect(JSON.stringify(association?.Properties.ResourceArn)).toContain(JSON.stringify({ Ref: stageId }));
    expect(acl).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
  });

  test('limits a key to 400 requests a second over a minute, from any address; bursts pass', () => {
    const { RateBasedStatement: rate } = ruleOf('key').Statement;
    expect(rate.Limit / rate.EvaluationWindowSec).toBe(KEY_RATE);
    expect(rate.EvaluationWindowSec).toBeGreaterThanOrEqual(60);
    expect(rate).toMatchObject({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: 'authorization' } }],
    });
    expect(rate.ScopeDownStatement).toBeUndefined();
  });

  test('counts every spelling of one key together: of any case, and with however many spaces', () => {
    const [{ Header: header }] = ruleOf('key').Statement.RateBasedStatement.CustomKeys;
    expect(header.TextTransformations).toEqual([
      { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
      { Priority: 1, Type: 'LOWERCASE' },
    ]);
  });

  test('allows one address at least the requests of a key, and fewer without a key', () => {
    const address = ruleOf('address').Statement.RateBasedStatement;
    const without = ruleOf('address-without-key').Statement.RateBasedStatement;
    expect([address, without]).toMatchObject([{ AggregateKeyType: 'IP' }, { AggregateKeyType: 'IP' }]);
    expect(address.Limit / address.EvaluationWindowSec).toBeGreaterThanOrEqual(KEY_RATE);
    expect(address.ScopeDownStatement).toBeUndefined();
    expect(without.Limit).toBeLessThan(address.Limit);
    expect(without.ScopeDownStatement.NotStatement.Statement.SizeConstraintStatement).toMatchObject({
      FieldToMatch: { SingleHeader: { Name: 'authorization' } },
      ComparisonOperator: 'GT',
      Size: 0,
    });
  });

  test('refuses all of these with 429, a problem of the catalogue and Retry-After', () => {
    const { title, advice } = entryOf('rate_limited');
    expect(rates).toHaveLength(3);
    for (const { Action } of rates) {
      const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
      expect(ResponseCode).toBe(429);
      expect(ResponseHeaders).toContainEqual({ Name: 'Retry-After', Value: expect.stringMatching(/^\d+$/) });
      const { ContentType, Content } = acl?.CustomResponseBodies[CustomResponseBodyKey] ?? {};
      expect(ContentType).toBe('APPLICATION_JSON');
      const text = Content['Fn::Join'][1]
        .map((part: unknown) => (typeof part === 'string' ? part : 'x'))
        .join('');
      expect(JSON.parse(text)).toEqual({
        type: expect.stringMatching(/^https:\/\/.+\/errors\/rate_limited$/),
        title,
        status: 429,
        code: 'rate_limited',
        detail: advice,
        instance: expect.stringMatching(/^urn:request:/),
      });
    }
  });

  test('keeps the common rules of AWS, but does not refuse a body for being longer than 8 KB', () => {
    const { ManagedRuleGroupStatement: common } = ruleOf('AWSManagedRulesCommonRuleSet').Statement;
    expect(common.RuleActionOverrides).toContainEqual({
      Name: 'SizeRestrictions_BODY',
      ActionToUse: { Count: {} },
    });
    for (const { Statement, OverrideAction } of rules.filter(({ Name }) => Name in CAPACITY)) {
      expect(Statement.ManagedRuleGroupStatement.VendorName).toBe('AWS');
      expect(OverrideAction).toEqual({ None: {} });
    }
    expect(rules.filter(({ Name }) => Name in CAPACITY)).toHaveLength(2);
  });

  test('evaluates the cheap and certain rules first, each with a priority of its own', () => {
    expect(rules.map(({ Priority }) => Priority)).toEqual(rules.map((_, place) => place));
    expect(rules).toHaveLength(5);
    expect(rules.slice(0, rates.length)).toEqual(rates);
    // 2 for a rate by address, 30 more for each key of one's own, 10 for each change of a text, 12 for what scopes it.
    const capacity = Object.values(CAPACITY).reduce((sum, units) => sum + units, rates.length * 64);
    expect(capacity).toBeLessThan(CAPACITY_MAX);
  });

  test('keeps no samples of requests, which would hold keys', () => {
    const visible = [acl, ...rules].map((each) => each?.VisibilityConfig);
    expect(visible).toHaveLength(rules.length + 1);
    expect(visible.filter(({ SampledRequestsEnabled }) => SampledRequestsEnabled)).toEqual([]);
  });
});

test('a test stage has no such limits, and pays for none', () => {
  for (const type of ['AWS::WAFv2::WebACL', 'AWS::WAFv2::WebACLAssociation']) {
    inTest.resourceCountIs(type, 0);
  }
});
