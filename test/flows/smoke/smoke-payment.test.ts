import { describe, expect, test } from 'vitest';
import { movesMoney } from '../../../infra/aws/grants.ts';
import { loadFunction } from '../../../infra/local/function.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { overHttp, type SmokeCall } from '../../../shared/flows/smoke/smoke-call.ts';
import { SMOKE_PERMISSIONS, takeSmokePayment } from '../../../shared/flows/smoke/smoke-payment.ts';
import { startFunctions } from '../../../shared/flows/smoke/start-functions.ts';
import { type InvokeVersion, toVersions } from '../../../shared/flows/smoke/version-call.ts';
import { clientOf } from '../../support/world/api.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

const WITH_KIT = { hasTestKit: true };
/** Something that does not come is not waited for as long as something that comes. */
const SOON = { ...WITH_KIT, waitMs: 2_000 };
/** A payment is created and paid by these. */
const ON_TRIAL = [operations.createPayment, operations.actOnCheckout].map(functionNameOf);

async function newSmoke() {
  const { secret: key } = await newKey({ permissions: SMOKE_PERMISSIONS });
  return { key, call: overHttp(baseUrl, key) };
}

describe('a smoke payment', () => {
  test('is taken again and again by a key with its few permissions, to one sink', async () => {
    const { key, call } = await newSmoke();
    await takeSmokePayment(call, WITH_KIT);
    await takeSmokePayment(call, WITH_KIT);
    const { json } = await clientOf(key)(operations.listWebhookSinks);
    expect(json.data).toHaveLength(1);
  });

  test('is taken without the test kit, up to the events that are published', async () => {
    const { call } = await newSmoke();
    const called: string[] = [];
    const noting: SmokeCall = (row, request) => {
      called.push(row.path);
      return call(row, request);
    };
    await takeSmokePayment(noting, { hasTestKit: false });
    expect(called.filter((path) => path.startsWith('/api/v1/test/'))).toEqual([]);
  });

  test('fails where its webhook is refused', async () => {
    const { key, call } = await newSmoke();
    await takeSmokePayment(call, WITH_KIT);
    const api = clientOf(key);
    const [sink] = (await api(operations.listWebhookSinks)).json.data;
    const params = { id: String(sink?.id) };
    await api(operations.updateWebhookSink, { params, body: { respond_status: 500, fail_count: 1_000 } });
    await expect(takeSmokePayment(call, SOON)).rejects.toThrow('for its webhook to be delivered');
  });

  test('fails where the payment is not paid', async () => {
    const { call } = await newSmoke();
    const unpaid: SmokeCall = async (row, request) =>
      row.path === operations.actOnCheckout.path ? { status: 303, text: '' } : call(row, request);
    await expect(takeSmokePayment(unpaid, SOON)).rejects.toThrow('for the payment to succeed');
  });

  test('fails with the operation and its status where one is refused, and quotes nothing', async () => {
    const broken: SmokeCall = async () => ({ status: 500, text: 'a secret' });
    await expect(takeSmokePayment(broken, SOON)).rejects.toThrow(
      /^GET \/api\/v1\/test\/webhooks\/sinks responded with 500$/,
    );
  });
});

describe('new versions', () => {
  const invoke: InvokeVersion = async (version, event) =>
    (await loadFunction<object, object>(nameIn(version)))(event);

  test('create and pay the payment themselves, by what the gateway would send them', async () => {
    const { key, call } = await newSmoke();
    const invoked: string[] = [];
    const noting: InvokeVersion = (version, event) => {
      invoked.push(nameIn(version));
      return invoke(version, event);
    };
    const versions = versionsOf(ON_TRIAL);
    await takeSmokePayment(toVersions({ versions, invoke: noting, baseUrl, key, otherwise: call }), WITH_KIT);
    expect(invoked).toEqual(ON_TRIAL);
  });

  test('of all functions that move money are started, and refuse what nobody may do', async () => {
    const versions = versionsOf(allOperations.filter(movesMoney).map(functionNameOf));
    const statuses: number[] = [];
    const call = toVersions({ versions, invoke, baseUrl, key: '', otherwise: overHttp(baseUrl, '') });
    const noting: SmokeCall = async (row, request) => {
      const response = await call(row, request);
      statuses.push(response.status);
      return response;
    };
    await startFunctions(versions, noting);
    expect(statuses).toHaveLength(versions.size);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
  });

  test('are refused where one fails before it can refuse a request', async () => {
    const failing: SmokeCall = async () => ({ status: 500, text: '' });
    await expect(startFunctions(versionsOf(['cancel-refund']), failing)).rejects.toThrow(
      'the new cancel-refund responded with 500',
    );
  });
});

/** ARNs, as a check is given them. */
function versionsOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, `arn:${name}:7`]));
}

function nameIn(version: string): string {
  return version.split(':')[1] ?? '';
}
