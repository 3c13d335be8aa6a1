import { Resolver } from 'node:dns/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { resolveName } from '../../shared/webhooks/resolve-name.ts';
import { startNameServer } from '../support/faults/name-server.ts';

afterEach(() => vi.restoreAllMocks());

/** Resolves names by a name server of the test. */
async function answerNames(answer: (name: string) => readonly string[] | 'nothing') {
  const { address, questions } = await startNameServer(answer);
  const { resolve4 } = Resolver.prototype as { resolve4: (name: string) => Promise<string[]> };
  // The first call of a resolver.
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(function resolve(this: Resolver, name: string) {
    this.setServers([address]);
    return resolve4.call(this, name);
  } as never);
  return questions;
}

const resolve = (name: string) => resolveName(name, new AbortController().signal);

test('a name has all its addresses, IPv4 first', async () => {
  const questions = await answerNames(() => ['2606:4700:0:0:0:0:0:1111', '8.8.8.8', '8.8.4.4']);
  expect(await resolve('shop.example')).toEqual(['8.8.8.8', '8.8.4.4', '2606:4700::1111']);
  expect(new Set(questions)).toEqual(new Set(['shop.example']));
});

test('a name may have addresses of one kind, or none', async () => {
  await answerNames((name) => (name === 'one.example' ? ['8.8.8.8'] : []));
  expect(await resolve('one.example')).toEqual(['8.8.8.8']);
  expect(await resolve('none.example')).toEqual([]);
});

test('a result of a name server is not cached: the next look-up queries it again', async () => {
  const answers = [['8.8.8.8'], ['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
  await answerNames(() => answers.shift() ?? []);
  expect(await resolve('turning.example')).toEqual(['8.8.8.8']);
  expect(await resolve('turning.example')).toEqual(['127.0.0.1']);
});

test('names that this machine alone knows have no addresses', async () => {
  const questions = await answerNames(() => []);
  expect(await resolve('intranet')).toEqual([]);
  expect(questions.filter((name) => name !== 'intranet')).toEqual([]);
});

test('a name server that does not respond is waited for only until the signal', async () => {
  const questions = await answerNames(() => 'nothing');
  const ending = new AbortController();
  const found = resolveName('silent.example', ending.signal);
  await expect.poll(() => questions.length).toBe(2);
  ending.abort();
  expect(await found).toEqual([]);
});
