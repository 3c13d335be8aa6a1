import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { AWS_OPTIONS } from '../../shared/store/table/aws-client.ts';
import { describeError } from '../../shared/telemetry/log.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('an error of AWS is logged with the id of the request there, and how often it was sent', async () => {
  // Retries come at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using server = createServer((_request, response) => {
    response.writeHead(500, { 'x-amzn-requestid': 'AWS1' }).end('{"__type":"InternalServerError"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new DynamoDBClient({
    ...AWS_OPTIONS,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const error = await client.send(new ListTablesCommand()).catch((thrown: unknown) => thrown);
  client.destroy();
  expect(describeError(error)).toMatchObject({
    name: 'InternalServerError',
    aws_request_id: 'AWS1',
    attempts: 3,
  });
  const wrapped = new Error('the store did not answer', { cause: error });
  expect(describeError(wrapped)).toMatchObject({ cause: { aws_request_id: 'AWS1' } });
});

test('another error is logged by its name and line, without its message', () => {
  const described = describeError(new TypeError('pg_live_secret'));
  expect(described).toEqual({ name: 'TypeError', stack: expect.any(Array) });
  expect(JSON.stringify(described)).not.toContain('pg_live_secret');
});
