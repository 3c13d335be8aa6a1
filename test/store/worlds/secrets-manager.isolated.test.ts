import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../shared/domain/clock.ts';
import { newId } from '../../../shared/domain/id.ts';

const SECRETS = { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' };

/** What Secrets Manager responds, and the requests that it got. */
let answer: { status: number; body: object } | 'nothing';
const requests: unknown[] = [];
const server = createServer(async (request, response) => {
  requests.push({ target: request.headers['x-amz-target'], body: await json(request) });
  if (answer === 'nothing') {
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(answer.body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
Object.assign(process.env, {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  PROVIDER_SECRETS_PREFIX: 'payments-test/providers/',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { readFromSecretsManager } = await import('../../../shared/store/worlds/secrets-manager.ts');

const found = (secrets: object = SECRETS) => ({
  status: 200,
  body: { Name: 'x', SecretString: JSON.stringify(secrets) },
});
const missing = {
  status: 400,
  body: { __type: 'ResourceNotFoundException', Message: "Secrets Manager can't find it." },
};
/** A world of its own for each test, since what was read is kept. */
let world: string;

beforeEach(() => {
  world = newId('key', Date.now());
  requests.length = 0;
  answer = found();
  // The clock alone: connections need their timers.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a secret of AWS Secrets Manager', () => {
  it('is retrieved by the name of the stage and the world', { tags: 'slow' }, async () => {
    expect(await readFromSecretsManager(world, 1)).toEqual(SECRETS);
    expect(requests).toEqual([
      {
        target: 'secretsmanager.GetSecretValue',
        body: { SecretId: `payments-test/providers/${world}` },
      },
    ]);
  });

  it('is cached for five minutes, for any number of readers, and then retrieved again', async () => {
    await Promise.all(Array.from({ length: 20 }, () => readFromSecretsManager(world, 1)));
    vi.advanceTimersByTime(5 * MINUTE_MS - 1);
    await readFromSecretsManager(world, 1);
    expect(requests).toHaveLength(1);
    answer = found({ secret_key: 'sk_test_2' });
    vi.advanceTimersByTime(1);
    expect(await readFromSecretsManager(world, 1)).toEqual({ secret_key: 'sk_test_2' });
    expect(requests).toHaveLength(2);
  });

  it('is retrieved at once after a new connection, and belongs to one world', async () => {
    await readFromSecretsManager(world, 1);
    answer = found({ secret_key: 'sk_test_2' });
    expect(await readFromSecretsManager(world, 2)).toEqual({ secret_key: 'sk_test_2' });
    answer = found({ secret_key: 'sk_test_3' });
    expect(await readFromSecretsManager(newId('key', Date.now()), 1)).toEqual({ secret_key: 'sk_test_3' });
    expect(await readFromSecretsManager(world, 1)).toEqual(SECRETS);
  });

  it('that is missing is retrieved again', async () => {
    answer = missing;
    expect(await readFromSecretsManager(world, 1)).toBeNull();
    answer = found();
    expect(await readFromSecretsManager(world, 1)).toEqual(SECRETS);
  });

  it('that could not be read is retrieved again, and the error is that of AWS', async () => {
    answer = { status: 400, body: { __type: 'AccessDeniedException', Message: 'no' } };
    await expect(readFromSecretsManager(world, 1)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    answer = 'nothing';
    await expect(readFromSecretsManager(world, 1)).rejects.toThrow();
    answer = found();
    expect(await readFromSecretsManager(world, 1)).toEqual(SECRETS);
  });

  it('that is damaged is not repeated by the error', async () => {
    answer = { status: 200, body: { SecretString: 'sk_live_1' } };
    const error = await readFromSecretsManager(world, 1).catch((thrown: Error) => thrown);
    expect(String((error as Error).stack)).not.toContain('sk_live');
    expect(error).toBeInstanceOf(Error);
  });
});
