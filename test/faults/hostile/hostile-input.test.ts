// @module-tag nightly
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { givenNumber } from '../../support/tools/given-number.ts';
import { newMerchant, type ProblemBody } from '../../support/world/api.ts';
import { type Inhabitants, inhabitWorld, paramsIn } from '../../support/world/inhabited-world.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { resend } from '../../support/world/resend.ts';
import { quietItems } from '../../support/world/stored-items.ts';
import { breakagesOf } from './breakages.ts';
import { type Endpoint, readEndpoints, type Schema } from './endpoints.ts';
import { type Answered, complaintsAbout, eachAtOnce, exchange, MARK_END, type Sent } from './exchange.ts';
import { hostileRequests } from './hostile-requests.ts';
import { RULES } from './rules.ts';
import { validValue } from './valid-value.ts';

const seed = givenNumber('FC_SEED', Date.now() % 1_000_000);
const VALID_EACH = 25;
/** Each takes seconds, or deletes what the next one needs. */
const VALID_OF_THE_LONG_ONES = 4;
const LONG = new Set(['testkit.SeedTestData', 'testkit.PurgeTestData']);
/** One at a time: two concurrent ones refuse each other, and a fork is refused while its source changes. */
const IN_TURN = new Set([...LONG, 'testkit.AdvanceClock', 'testkit.ForkTestWorld']);
const COMPLAINTS_SHOWN = 20;
/** Each moves a clock, which takes long on a busy machine. */
const WORLDS_AT_ONCE = 4;

const endpoints = await readEndpoints(baseUrl);

interface TargetWorld {
  readonly merchant: string;
  readonly secret: string;
  readonly world: Inhabitants;
}

async function newTargetWorld(): Promise<TargetWorld> {
  const { api, merchant, secret } = await newMerchant();
  return { merchant, secret, world: await inhabitWorld(api, newMark()) };
}

/** Operations that name nothing need nothing. */
async function targetFor({ path }: Endpoint): Promise<TargetWorld> {
  return path.includes('{') ? newTargetWorld() : { ...(await newMerchant()), world: {} };
}

function newMark(): string {
  return `zq${randomUUID().replaceAll('-', '')}`;
}

/** A request that the operation accepts, apart from its body. */
function requestTo(endpoint: Endpoint, { secret, world }: TargetWorld, body?: unknown, query = {}): Sent {
  const params = paramsIn(world, endpoint.path);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = new URLSearchParams(query).toString();
  return {
    method: endpoint.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(endpoint.isKeyed && { Authorization: `Bearer ${secret}` }),
      ...(endpoint.takesIdempotencyKey && { 'Idempotency-Key': randomUUID() }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

interface Tried {
  readonly endpoint: Endpoint;
  readonly sent: Sent;
  readonly mark: string;
  readonly what?: string;
  /** Other faults of the response. */
  readonly judge?: (answer: Answered) => string[];
}

/**
 * Sends a request again while the service says so: many requests at once change the same things, and the busier the
 * machine, the longer. What stays unavailable is a fault.
 */
function answerTo(sent: Sent): Promise<Answered> {
  return resend(['temporarily_unavailable'], async () => {
    const answer = await exchange(baseUrl, sent);
    const isProblem = answer.headers['content-type'] === 'application/problem+json';
    return { ...answer, ...(isProblem && { problem: JSON.parse(answer.text) as ProblemBody }) };
  });
}

/** Sends all of them, and returns the faults of the responses. */
async function complaintsOf(tries: readonly Tried[]): Promise<string[]> {
  const complaints = await eachAtOnce(tries, async ({ endpoint, sent, mark, what = '', judge }) => {
    const answer = await answerTo(sent);
    const all = [...complaintsAbout(endpoint, answer, mark), ...(judge?.(answer) ?? [])];
    const { method, path, body = '' } = sent;
    const shown = `${method} ${path.slice(0, 150)} ${JSON.stringify(String(body).slice(0, 2000))}`;
    return all.map(
      (complaint) => `${complaint}: ${what} ${shown} → ${answer.status} ${answer.text.slice(0, 300)}`,
    );
  });
  return complaints.flat().slice(0, COMPLAINTS_SHOWN);
}

/** An operation, and the response if no operation matches. */
function leadingAway(endpoint: Endpoint): Endpoint {
  const missing = [...(endpoint.problems.get(404) ?? []), 'route_not_found'];
  const problems = new Map([...endpoint.problems, [404, missing], [405, ['method_not_allowed']]]);
  return { ...endpoint, problems };
}

/** Whether any length is allowed for a text: neither a list, a length, a format nor a pattern without repetition bounds it. */
function isEndless({ type, enum: members, maxLength, format, pattern = '.*' }: Schema): boolean {
  return type === 'string' && !members && !maxLength && !format && /[*+]|,\}/.test(pattern);
}

function fieldErrorsIn({ text }: Answered): { field: string; code: string }[] {
  return JSON.parse(text).errors ?? [];
}

function judgeRefusal(status: number, field?: string) {
  return (answer: Answered): string[] => {
    if (answer.status !== status) {
      return [`it is refused with ${status}`];
    }
    const isNamed = field === undefined || fieldErrorsIn(answer).some((error) => error.field === field);
    return isNamed ? [] : [`the refusal names ${field}`];
  };
}

test('a request that the document allows is refused only by a listed rule', async ({ task }) => {
  const used = new Set<string>();
  const judge = (endpoint: Endpoint) => (answer: Answered) => {
    const errors =
      answer.text.includes('"validation_failed"') && answer.status === 422 ? fieldErrorsIn(answer) : [];
    return errors.flatMap(({ field, code }) => {
      const rule = RULES.find((one) => one.of.test(endpoint.name) && one.refuses.test(`${field}: ${code}`));
      used.add(rule?.says ?? '');
      return rule === undefined ? [`nothing is said against ${field}: ${code}`] : [];
    });
  };
  const taking = endpoints.filter(({ body, query }) => body !== null || Object.keys(query).length > 0);
  const tries = await eachAtOnce(
    taking,
    async (endpoint) => {
      const target = await targetFor(endpoint);
      const query = validValue({ type: 'object', properties: endpoint.query });
      const requests = fc.record({ body: validValue(endpoint.body ?? { type: 'object' }), query });
      const numRuns = LONG.has(endpoint.name) ? VALID_OF_THE_LONG_ONES : VALID_EACH;
      return fc.sample(requests, { seed, numRuns }).map(({ body, query }) => {
        const sent = requestTo(endpoint, target, endpoint.body === null ? undefined : body, query as object);
        return { endpoint, sent, mark: newMark(), judge: judge(endpoint) };
      });
    },
    WORLDS_AT_ONCE,
  );
  const [inTurn, atOnce] = [true, false].map((isInTurn) =>
    tries.flat().filter(({ endpoint }) => IN_TURN.has(endpoint.name) === isInTurn),
  );
  expect(await complaintsOf(atOnce ?? [])).toEqual([]);
  for (const one of inTurn ?? []) {
    expect(await complaintsOf([one])).toEqual([]);
  }
  task.meta.figures = {
    [`valid requests, none refused for its form (FC_SEED=${seed})`]: tries.flat().length,
    'rules beyond the document that refused some of them': `${used.size} of ${RULES.length}`,
  };
});

test('a request that breaks the document in one place is refused there and changes nothing', async ({
  task,
}) => {
  // What is looked for becomes part of a key, and keys have a limit.
  const endless = endpoints.flatMap(({ query }) => Object.entries(query).filter(([, one]) => isEndless(one)));
  expect(endless).toEqual([]);
  const target = await newTargetWorld();
  const before = await quietItems(target.merchant);
  const tries = endpoints.flatMap((endpoint): Tried[] => {
    const mark = newMark();
    const whole = (schema: Endpoint['body']) =>
      schema === null ? {} : fc.sample(validValue(schema), { seed, numRuns: 1 })[0];
    const bodies =
      endpoint.body === null
        ? []
        : breakagesOf(
            endpoint.body,
            { ...endpoint.example, ...(whole(endpoint.body) as object) },
            mark + MARK_END,
          );
    const queries = breakagesOf({ type: 'object', properties: endpoint.query }, {}, mark + MARK_END).filter(
      ({ value, what }) =>
        what !== 'wrong type' && Object.keys(endpoint.query).length > 0 && typeof value === 'object',
    );
    return [
      ...bodies.map(({ field, value }) => ({
        endpoint,
        mark,
        sent: requestTo(endpoint, target, value),
        judge: judgeRefusal(422, field === '' ? 'body' : field),
      })),
      ...queries.map(({ field, value }) => ({
        endpoint,
        mark,
        sent: requestTo(endpoint, target, undefined, value as object),
        judge: judgeRefusal(422, field),
      })),
    ];
  });
  expect(await complaintsOf(tries)).toEqual([]);
  expect(await quietItems(target.merchant)).toEqual(before);
  task.meta.figures = { 'requests broken in one place, each refused for that place': tries.length };
});

test('any input gets a documented response without an echo, and a refusal changes nothing', async ({
  task,
}) => {
  const quiet = await newTargetWorld();
  const mark = newMark();
  const all = (target: TargetWorld, some = endpoints) =>
    some.flatMap((endpoint) => {
      const body = endpoint.body === null ? undefined : endpoint.example;
      const valid = requestTo(endpoint, target, body);
      // An odd path may lead away from the operation, to nothing.
      const elsewhere = leadingAway(endpoint);
      return hostileRequests(endpoint, valid, mark).map((hostile) => ({
        ...hostile,
        endpoint: hostile.sent.path.split('?')[0] === valid.path ? endpoint : elsewhere,
        mark,
      }));
    });
  const before = await quietItems(quiet.merchant);
  const refused = all(quiet).filter(({ refusal }) => refusal !== null);
  const complaints = await complaintsOf(
    refused.map((hostile) => ({ ...hostile, judge: judgeRefusal(Number(hostile.refusal), hostile.field) })),
  );
  expect(complaints).toEqual([]);
  expect(await quietItems(quiet.merchant)).toEqual(before);

  // Requests that may succeed go to worlds that may change, apart from the pages: a purge or a sink change spoils them.
  const [open, shown, purged] = [
    await newTargetWorld(),
    await newTargetWorld(),
    { ...(await newMerchant()), world: {} },
  ];
  const isPurge = ({ name }: Endpoint) => name === 'testkit.PurgeTestData';
  const others = [
    ...all(
      open,
      endpoints.filter((one) => one.isKeyed && !isPurge(one)),
    ),
    ...all(
      shown,
      endpoints.filter((one) => !one.isKeyed),
    ),
    ...all(purged, endpoints.filter(isPurge)),
  ].filter(({ refusal }) => refusal === null);
  expect(await complaintsOf(others)).toEqual([]);
  task.meta.figures = {
    'hostile requests, all answered cleanly': refused.length + others.length,
    'of these surely refused, and nothing changed': refused.length,
    'operations of the document that were attacked': endpoints.length,
  };
});

const NOWHERE = {
  problems: new Map([
    [404, ['route_not_found']],
    [405, ['method_not_allowed']],
  ]),
};
const PAYERS_ADDRESS = /^\/(checkout|l)\//;

function isTaken(method: string, at: string): boolean {
  return endpoints.some((endpoint) => endpoint.method === method && endpoint.path === at);
}

test('an unknown path is 404, and a method that a path does not support is 405', async ({ task }) => {
  const mark = newMark();
  const odd = ['//', '//x/y', '/%', '/%00', '/..%2f', '/api/v1', '/api/v1/', '/<i>', '/a'.repeat(3_000)];
  const target = await newTargetWorld();
  const addresses = endpoints.map((endpoint) => ({ endpoint, ...requestTo(endpoint, target) }));
  const near = addresses.flatMap(({ path }) => [`${path}/`, `/${path}`, `${path}/x/${mark}`]);
  const tries = [
    ...[...odd, ...near].flatMap((path) =>
      ['GET', 'POST', 'DELETE'].map((method) => ({ method, path, headers: {}, statuses: [404] })),
    ),
    ...addresses.flatMap(({ endpoint, path, headers }) =>
      ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']
        .filter((method) => !isTaken(method, endpoint.path))
        .map((method) => ({ method, path, headers, statuses: [405] })),
    ),
  ].map(({ statuses, ...sent }) => ({
    sent,
    mark,
    // Below the pages of payers, the 404 is a page.
    endpoint: {
      ...addresses[0]?.endpoint,
      ...NOWHERE,
      otherStatuses: PAYERS_ADDRESS.test(sent.path) ? [404] : [],
    } as Endpoint,
    judge: ({ status, headers }: Answered) =>
      statuses.includes(status) && (status === 404 || headers.allow !== undefined)
        ? []
        : [`it answers ${statuses}`],
  }));
  expect(await complaintsOf(tries)).toEqual([]);
  task.meta.figures = { 'addresses and methods that nobody has, each refused as such': tries.length };
});
