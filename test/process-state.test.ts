import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/*
 * A process may serve many requests at once: the local host does, and so do managed instances of Lambda. So what a
 * module keeps between requests is listed here, with why it mixes up nothing. test/http/at-once.isolated.test.ts tries it.
 */
const KEPT: Readonly<Record<string, string>> = {
  'shared/contract/testkit/scenarios.ts unions':
    'what a schema is made of, by the schema, which never changes',
  'shared/docs/service-document.ts built':
    'the document, with its base URL, which is compared before each use',
  'shared/flows/dispatch/publisher.ts numbers': 'one at a time numbers the events of a world, by the world',
  'shared/flows/dispatch/slow-share.ts waitedFor': 'a count, by merchant and mode, changed without a wait',
  'shared/flows/jobs/announce-due-work.ts eventBridge': 'a client, which keeps connections alone',
  'shared/flows/ping.ts pings': 'the ping of a claim, by the claim, which is of one request',
  'shared/http/authenticate.ts worldIds': 'the world of a key, by the hash of the key; it never changes',
  'shared/store/scheduler/lease.ts HOLDERS': 'the leases of a run, by a random name of the run',
  'shared/store/table/aws-client.ts steps': 'the name of a call, by its input, which is of one call',
  'shared/store/worlds/read-provider-secrets.ts readSecrets': 'where secrets are, chosen by the environment',
  'shared/store/worlds/secrets-manager.ts getSecretValue': 'a client that is loaded once',
  'shared/store/worlds/secrets-manager.ts kept': 'secrets, by their name, for minutes',
  'shared/store/worlds/world.ts ranges':
    'numbers that are taken from a counter, by the counter, each given once',
  'shared/telemetry/log.ts log': 'nothing is kept on it: fields are passed with each line',
  'shared/telemetry/log.ts maps': 'source maps, by their file',
  'shared/telemetry/report.ts metrics': 'filled and written without a wait between',
};

/** What runs in a browser, or at those who call the service. */
const ELSEWHERE = /^shared\/(console|client)\/|^shared\/pages\/page\.ts$/;
/** A variable of a module. */
const VARIABLE = /^(?:export )?let (\w+)/gm;
/** A collection that begins empty, or an object with a life of its own. */
const HOLDER =
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = new (?:(?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|(?!RegExp|Html|BlockList|(?:Weak)?(?:Map|Set)\b)\w)/gm;

test('all that a process keeps between requests is listed, with why it mixes up nothing', () => {
  const files = globSync('{functions,shared}/**/*.ts').filter((file) => !ELSEWHERE.test(file));
  const kept = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [VARIABLE, HOLDER].flatMap((form) =>
      [...text.matchAll(form)].map(([, name]) => `${file} ${name}`),
    );
  });
  expect(kept.toSorted()).toEqual(Object.keys(KEPT).toSorted());
});
