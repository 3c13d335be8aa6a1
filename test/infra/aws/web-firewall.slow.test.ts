import { describe, expect, test } from 'vitest';
import { allOperations } from '../../../shared/contract/operations.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';
import { entryOf } from '../../../shared/errors/catalogue.ts';
import { countedAs, passing } from '../../support/tools/evaluate-firewall.ts';
import { synthesized } from './synthesized.ts';

/** Requests a second of one key under any contract: more would take the capacity of others. */
const KEY_RATE = 400;
/** The capacity units of one web ACL without a quota increase. */
const CAPACITY_MAX = 1_500;
const CAPACITY: Readonly<Record<string, number>> = {
  AWSManagedRulesCommonRuleSet: 700,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
};

const { template: production } = synthesized({ isProduction: true });
const [acl] = Object.values(production.findResources('AWS::WAFv2::WebACL')).map(
  ({ Properties }) => Properties,
);
// biome-ignore lint/suspicious/noExplicitAny: rules as CloudFormation spells them
const rules: any[] = acl?.Rules ?? [];
const ruleOf = (name: string) => rules.find(({ Name }) => Name === name);
const rates = rules.filter(({ Statement }) => Statement.RateBasedStatement !== undefined);

const mint = (mode: 'test' | 'live') => `Bearer ${mintSecret(mode)}`;
const REAL = mint('test');
const PAYER = '203.0.113.7';
/** Every page and other address without a key, as the gateway's own address and one's own domain have it. */
const PAGES = allOperations
  .filter(({ permission }) => permission === null)
  .flatMap(({ path: template }) => {
    const address = template.replaceAll(/[{]\w+[}]/g, 'x1');
    return [address, `/api${address}`];
  });
/** Spellings that could lead a filter by path astray. */
const UNCOMMON = [
  '/',
  '/api',
  '/api/v1',
  '//l/x1',
  '/api//l/x1',
  '/api/api/v1/../../l/x1',
  '/api/api/v1/%2e%2e/%2e%2e/l/x1',
  '/api/api/v1/payments/..%2f..%2f..%2fl%2fx1',
  '/api/%6c/x1',
  '/%61pi/v1/payments',
  '/api/l/x1/api/v1/payments',
  '/l/api/v1/payments',
  '/api/l/x1;/api/v1/payments',
  '/api/api/v1/\\..\\l',
  '/api/API/V1/payments',
  '/api/api/v1/payments\n/l/x1',
  '/v1/payments',
];
const KEYED = [
  '/api/v1/payments',
  '/api/api/v1/payments',
  '/api/api/v1/payments/pay_1/refunds',
  '/api/api/v1/test/clock',
];
/** Headers that no key is in. */
const GARBAGE = [
  '',
  'x',
  'Bearer',
  'Bearer ',
  'Bearer x',
  REAL.replace('Bearer', 'bearer'),
  REAL.replace('Bearer ', 'Bearer  '),
  REAL.replace('Bearer', 'Basic'),
  REAL.toUpperCase(),
  REAL.slice(0, -1),
  `${REAL}x`,
  `${REAL} x`,
  `x ${REAL}`,
  `x\n${REAL}`,
  REAL.replace('pg_test', 'pg_none'),
  REAL.slice('Bearer '.length),
];

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
  });

  test('counts each key by itself, and a header that is no key as none', () => {
    const counted = (value: string) =>
      countedAs(ruleOf('key').Statement, {
        ip: PAYER,
        path: '/api/api/v1/payments',
        headers: [['authorization', value]],
      });
    expect([counted(REAL), counted(mint('live'))]).toEqual([REAL, expect.stringMatching(/^Bearer pg_live_/)]);
    expect(GARBAGE.filter((value) => counted(value) !== null)).toEqual([]);
  });

  test('allows one address at least the requests of a key, and fewer without a key', () => {
    const address = ruleOf('address').Statement.RateBasedStatement;
    const without = ruleOf('address-without-key').Statement.RateBasedStatement;
    expect([address, without]).toMatchObject([{ AggregateKeyType: 'IP' }, { AggregateKeyType: 'IP' }]);
    expect(address.Limit / address.EvaluationWindowSec).toBeGreaterThanOrEqual(KEY_RATE);
    expect(address.ScopeDownStatement).toBeUndefined();
    expect(without.Limit).toBeLessThan(address.Limit);
  });

  describe('counts requests of one address against the limit of payers', () => {
    const limited = ruleOf('address-without-key');
    const counted = (address: string, ...values: string[]) =>
      countedAs(limited.Statement, {
        ip: PAYER,
        path: address,
        headers: values.map((value) => ['AUTHORIZATION', value] as const),
      }) !== null;

    test('to any page, however its path is spelled and whatever their header says', () => {
      for (const address of [...PAGES, ...UNCOMMON]) {
        for (const values of [[], ...GARBAGE.map((each) => [each]), [REAL], [REAL, 'x'], ['x', REAL]]) {
          expect([address, values, counted(address, ...values)]).toEqual([address, values, true]);
        }
      }
    });

    test.each(KEYED)('to the API at %s, unless their header is a key', (address) => {
      expect(GARBAGE.filter((value) => !counted(address, value))).toEqual([]);
      expect([counted(address), counted(address, REAL), counted(address, mint('live'))]).toEqual([
        true,
        false,
        false,
      ]);
    });

    test('at most that many a minute, and as many of the next address', { tags: 'slow' }, () => {
      const header = (value: string) => [['Authorization', value]] as const;
      const minute = (ip: string, address: string, value: (index: number) => string) =>
        Array.from({ length: 400 * 60 }, (_, index) => ({
          ip,
          path: address,
          headers: header(value(index)),
        }));
      const limit = limited.Statement.RateBasedStatement.Limit;
      const page = '/api/checkout/cs_1';
      expect(
        passing(
          rules,
          minute(PAYER, page, () => 'x'),
        ),
      ).toBe(limit);
      expect(
        passing(
          rules,
          minute(PAYER, page, (index) => `Bearer ${index}`),
        ),
      ).toBe(limit);
      expect(
        passing(
          rules,
          minute(PAYER, page, () => REAL),
        ),
      ).toBe(limit);
      const both = [PAYER, '203.0.113.8'].flatMap((ip) => minute(ip, page, () => 'x'));
      expect(passing(rules, both)).toBe(2 * limit);
      expect(
        passing(
          rules,
          minute(PAYER, '/api/api/v1/payments', () => REAL),
        ),
      ).toBe(KEY_RATE * 60);
      expect(
        passing(
          rules,
          minute(PAYER, '/api/api/v1/payments', () => 'Bearer x'),
        ),
      ).toBe(limit);
    });
  });

  test('lets a key use its whole rate for every operation, at both addresses of a stage', () => {
    for (const { path: template } of allOperations.filter(({ permission }) => permission !== null)) {
      const address = template.replaceAll(/[{]\w+[}]/g, 'pay_01h455vb4pex5vsknk084sn02q');
      for (const path of [address, `/api${address}`]) {
        const request = { ip: PAYER, path, headers: [['authorization', REAL]] as const };
        expect(countedAs(ruleOf('address-without-key').Statement, request), path).toBeNull();
      }
    }
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
    expect(rules.map(({ Priority }) => Priority)).toEqual(rules.map((_, index) => index));
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

  test('logs what it refuses and counts, without keys, cookies and addresses that hold a token', () => {
    const [logging] = Object.values(production.findResources('AWS::WAFv2::LoggingConfiguration'));
    const { RedactedFields, LoggingFilter, LogDestinationConfigs } = logging?.Properties ?? {};
    expect(RedactedFields).toEqual([
      ...['authorization', 'idempotency-key', 'cookie'].map((Name) => ({ SingleHeader: { Name } })),
      { UriPath: {} },
      { QueryString: {} },
    ]);
    expect(LoggingFilter).toMatchObject({ DefaultBehavior: 'DROP', Filters: [{ Behavior: 'KEEP' }] });
    expect(JSON.stringify(LogDestinationConfigs)).toMatch(/:log-group:aws-waf-logs-payments-test"/);
    production.hasResourceProperties('AWS::Logs::LogGroup', { LogGroupName: 'aws-waf-logs-payments-test' });
  });
});
