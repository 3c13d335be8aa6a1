import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../shared/domain/payment-method.ts';
import { catalogue } from '../shared/errors/catalogue.ts';
import { nodesIn, parseFile, rootOf } from './support/tools/syntax.ts';

/** By the retired word, the standard one (`shared/README.md`, Words). */
const RETIRED: Readonly<Record<string, string>> = {
  Teller: 'Dispatcher',
  Telling: 'DispatchOptions',
  tellsNothing: 'dispatchesNothing',
  ToldBy: 'EventObjectOf',
  untold: 'undispatched',
  isHeard: 'hasTargets',
  hears: 'isSubscribed',
  heardBy: 'subscribedEvents',
  asksFor: 'includesType',
  behind: 'backloggedEndpoints',
  behindVersion: 'backlogVersion',
  nameBehind: 'markBacklogged',
  endBehind: 'clearBacklog',
  askFirst: 'attemptDelivery',
  askLater: 'queued',
  Asked: 'AttemptOutcome',
  announceQueues: 'emitDueQueues',
  Slots: 'Semaphore',
  Turns: 'KeyedMutex',
  UnderWay: 'TaskGroup',
  Batches: 'Batcher',
  jobsOver: 'supersededJobs',
  Beginning: 'RequestStart',
  Claimed: 'RequestClaim',
  Ask: 'AttemptRequest',
  askFor: 'attemptRequestOf',
  RefundAsk: 'RefundRequest',
  SentAttempt: 'ProviderAttempt',
  SentRefund: 'ProviderRefund',
  PaymentFact: 'ProviderPaymentState',
  RefundFact: 'ProviderRefundState',
  applyPaymentFact: 'applyProviderPaymentState',
  applyRefundFact: 'applyProviderRefundState',
  Said: 'ReportedOutcome',
  Notice: 'ProviderNotification',
  RawNotice: 'RawNotification',
  NoticeSubject: 'NotificationSubject',
  readNotice: 'parseNotification',
  Silence: 'UnknownReason',
  noteUnclear: 'logUnknownOutcome',
  Unclear: 'UnknownOutcome',
  stopOf: 'abandonedAttemptJob',
  stopAttempt: 'cancelAbandonedAttempt',
  isOurs: 'isSink',
  merchantsOwn: 'merchantEndpoint',
  EndpointWish: 'EndpointInput',
  PaymentOrder: 'PaymentInput',
  RefundOrder: 'RefundInput',
  LinkOrder: 'PaymentLinkInput',
  Past: 'SimulatedHistory',
  playSeed: 'runSeedScript',
  saidByButton: 'outcomeOfButton',
  openPayment: 'createPaymentAtProvider',
  openedPayment: 'newPayment',
  begunAttempt: 'startAttempt',
  beginAttempt: 'startAttemptAtProvider',
  Arrival: 'IdempotentRequest',
  Asker: 'Requester',
  Tell: 'NoteRequester',
  Ended: 'EndedCall',
  Issued: 'IssuedApiKey',
  Taken: 'DeliveredEvents',
  Item: 'StoredItem, or what it is an item of',
  Place: 'PaymentContext, EventPosition, or what it is the place of',
  tellsOf: 'isEventOf',
  forwardAndTell: 'forwardAndReport',
  sayOf: 'describe',
  monthScript: 'seedMonthScript',
  isBehind: 'hasBacklog',
  findBehind: 'findBacklog',
  newAsk: 'newAttemptRequest',
  newRefundAsk: 'newRefundRequest',
  aBeginning: 'aRequestStart',
  openAtOnce: 'createAndStart',
  silences: 'unknownReasons',
  answersBesides: 'respondsInOwnType',
  readAnswer: 'toResult',
  askOnce: 'requestOnce',
  inPlainWords: 'withSupportedKeywords',
  Applied: 'EventEffect',
  Reported: 'ReportEffect',
  Published: 'PublishedEntry',
  Erased: 'ErasureCounts',
  Missed: 'MissedEvents',
  Decided: 'PayByLinkDecision, or what was decided',
  Pinged: 'PingDelivery',
  Settled: 'SettlementResult',
  Attempted: 'AttemptResult',
  Counted: 'DayTallies',
  Watched: 'MonitoredParts',
  Keeping: 'LogKeepingProps',
  Accessing: 'AccessFields',
  Followed: 'EventsAfter',
  Saved: 'SavedResponse',
  Delivering: 'DeliveryOptions',
  Lasting: 'WrittenConsequence',
  Outgoing: 'ClientRequest',
  AnsweredCall: 'ProblemCall',
  AnsweredRequest: 'HandledRequest',
  JobRun: 'RunContext',
  withJobRun: 'withRunContext',
  JobLoop: 'BatchLoop',
  LongJobs: 'BackgroundJobs',
  runWorld: 'wakeWorld',
  runQueues: 'drainEndpointQueues',
  runJob: 'performJob',
  emitDueWork: 'announceDueWork',
  emitDueQueues: 'announceDueQueues',
  readSettled: 'readAfterMove',
  moveEnded: 'waitForMoveEnd',
  AttemptSettler: 'AttemptRecorder',
  SettleOptions: 'RecordOptions',
  settleProviderEvent: 'resolveProviderEvent',
  Advance: 'ClockMove',
  endAdvance: 'forgetMove',
  findAdvance: 'findMove',
  countInAdvance: 'countInMove',
  receiveNotice: 'receiveNotification',
  receiveWebhook: 'receiveAtSink',
  hasNotices: 'hasNotifications',
  answeredStatus: 'responseStatus',
  answerStart: 'responseStart',
  RawAnswer: 'RawResponse',
  DocumentAnswer: 'DocumentResponse',
  waitsForClaim: 'isStepwise',
  takePlace: 'takeRunnerSlot',
  placesPk: 'runnerSlotsPk',
  EndpointPlace: 'EndpointSlot',
  takeEndpointPlace: 'takeEndpointSlot',
  LinkPlace: 'LinkInWorld',
  onceKey: 'claimKey',
  restIndex: 'unlistedIndex',
  startBetween: 'startProxy',
  waysInto: 'createPublicAddresses',
  inspectBooks: 'reconcile',
};

/** Words with one meaning, by where they are looked for: what has the word in its name, and the names that may. */
const ONE_MEANING: readonly {
  readonly word: RegExp;
  readonly meaning: string;
  readonly in: RegExp;
  readonly mayBe: RegExp;
}[] = [
  {
    word: /settle/i,
    meaning: 'the settlement of money',
    in: /^(functions|shared\/(domain|store|flows|http|webhooks|providers|telemetry|errors|concurrency))\//,
    mayBe:
      /settlement|^(un)?settled?$|(un)?settled(minor|balance)?$|^settle(day|balance)$|issettled|^settled_minor$|settled_max_minor|^allSettled$/i,
  },
  {
    word: /place/i,
    meaning: 'none: an index, a slot, a key, a sequence number, a route',
    in: /^(functions|shared\/(client|console|domain|store|story|flows|http|pages|webhooks|providers|telemetry|errors|concurrency))\//,
    mayBe: /^replace|replace(d|ment)$|placeholder$/i,
  },
  {
    word: /advance/i,
    meaning: "the operation's name, for a move of the clock",
    in: /^(functions|shared\/(domain|store|flows|http|contract))\//,
    mayBe:
      /^(advanceClock|advanced_seconds|AdvanceClock\w*|ClockAdvanceResult|ADVANCE_SECONDS_MAX|advance|advanceStep)$/,
  },
  {
    word: /notice/i,
    meaning: 'none: what a provider sends is a notification',
    in: /^(functions|shared|infra\/(operator|aws|local))\//,
    mayBe: /^noticed?$/,
  },
];
/** Fields of AWS's commands. */
const FIELDS_OF_AWS = ['Item'];
/** Values and the details of problems, which tables of the domain have as keys. */
const WORDS_OF_THE_API: ReadonlySet<string> = new Set([
  ...PAYMENT_STATUSES,
  ...PAYMENT_METHODS,
  ...Object.values(catalogue).flatMap((entry) => ('details' in entry ? Object.keys(entry.details) : [])),
]);
const OF_THE_TABLE = /: (pk|sk|.*(partition|scope|eventblock|backlog).*)$/i;
const NAME_MAX_CHARS = 90;

const parse = (file: string) => [...nodesIn(parseFile(file))];
const sources = globSync(['shared/**/*.{ts,tsx}', 'functions/**/*.ts', 'infra/**/*.ts']).map(
  (file) => [file, parse(file)] as const,
);
const tests = globSync('test/**/*.ts', { exclude: ['test/words.slow.test.ts'] }).map(
  (file) => [file, parse(file)] as const,
);
/** Where retired words are looked for. */
const scanned = [...sources, ...tests];

describe('the words of the house', () => {
  it('are the standard ones: no retired word is an identifier, a file name or is cited', () => {
    const found = scanned.flatMap(([file, nodes]) => {
      const fields = new Set(
        nodes.map(({ type, key, property }) => (type === 'MemberExpression' ? property : key)),
      );
      const names = nodes.flatMap((node) =>
        node.type === 'Identifier' && !(fields.has(node) && FIELDS_OF_AWS.includes(String(node.value)))
          ? [String(node.value)]
          : [],
      );
      return [...new Set([...names, ...exportsNamedBy(file), ...citedIn(file)])]
        .filter((name) => Object.hasOwn(RETIRED, name))
        .map((name) => `${file}: ${name}, which is ${RETIRED[name]} now`);
    });
    expect(sources.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });

  it.each(ONE_MEANING)('have one meaning each: $word is $meaning', ({ word, in: rooms, mayBe }) => {
    const names = sources.flatMap(([file, nodes]) =>
      rooms.test(file)
        ? nodes.flatMap(({ type, value }) => (type === 'Identifier' ? [`${file}: ${value}`] : []))
        : [],
    );
    expect(names.length).toBeGreaterThan(1_000);
    const found = names.filter((name) => word.test(name.replace(/.*: /, '')));
    expect([...new Set(found)].filter((name) => !mayBe.test(name.replace(/.*: /, '')))).toEqual([]);
  });

  it('keep the names of the API and of the table out of the domain', () => {
    const domain = sources.filter(([file]) => file.startsWith('shared/domain/'));
    const names = domain.flatMap(([file, nodes]) =>
      nodes
        .filter(({ type, value }) => type === 'Identifier' && !WORDS_OF_THE_API.has(String(value)))
        .map(({ value }) => `${file}: ${value}`),
    );
    expect(names.length).toBeGreaterThan(5_000);
    expect(names.filter((name) => /[a-z\d]_[a-z]/.test(name) || OF_THE_TABLE.test(name))).toEqual([]);
  });

  const declared = sources.flatMap(([file, nodes]) =>
    nodes
      .filter(({ type = '' }) => /^(TsInterface|TsTypeAlias|Class)Declaration$/.test(type))
      .map(({ id, identifier }) => [String((id ?? identifier)?.value), file] as const),
  );

  it('keep the names of types out of the texts that users read', () => {
    const types = declared.map(([name]) => name).filter((name) => /^[A-Z][a-z]+[A-Z]/.test(name));
    // Texts of the program that prints types are types.
    const written = sources.filter(([file]) => !file.startsWith('infra/build/'));
    const texts = written.flatMap(([file, nodes]) =>
      nodes
        .map(({ value, cooked = value }) => String(cooked))
        .filter((text) => /\w \w/.test(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(texts.length).toBeGreaterThan(3_000);
    const named = new RegExp(`(?<!\`)\\b(${types.join('|')})\\b(?!\`)`);
    expect(texts.filter((text) => named.test(text))).toEqual([]);
  });

  it('have one meaning each: no type is declared twice', () => {
    const byName = Map.groupBy(declared, ([name]) => name);
    expect(declared.length).toBeGreaterThan(300);
    expect([...byName].filter(([, files]) => files.length > 1).map(([name]) => name)).toEqual([]);
  });

  it('make short names of tests', () => {
    const names = tests.flatMap(([file, nodes]) =>
      nodes.flatMap(({ type, callee, arguments: given }) => {
        if (type !== 'CallExpression' || !/^(test|it|describe)$/.test(rootOf(callee))) {
          return [];
        }
        const { type: kind, value, quasis = [] } = given?.[0]?.expression ?? {};
        const name = kind === 'StringLiteral' ? String(value) : quasis.map(({ cooked }) => cooked).join('');
        return name === '' ? [] : [{ file, name }];
      }),
    );
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter(({ name }) => name.length > NAME_MAX_CHARS)).toEqual([]);
  });
});

/** `begin-attempt.ts` → `beginAttempt`, `BeginAttempt`: files are named by what they export. */
function exportsNamedBy(file: string): string[] {
  const [name = ''] = basename(file).split('.');
  const camelCased = name.replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  const typeName = camelCased.charAt(0).toUpperCase() + camelCased.slice(1);
  return [camelCased, typeName].filter((one) => !FIELDS_OF_AWS.includes(one));
}

/** The names that comments of a file cite. */
function citedIn(file: string): string[] {
  const comments = readFileSync(file, 'utf8').match(/^\s*(\/?\*|\/\/).*$/gm) ?? [];
  return comments.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => String(name)));
}
