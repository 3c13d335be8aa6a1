import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { VIEW } from '../../../shared/contract/views.ts';
import { newId } from '../../../shared/domain/id.ts';
import { cancelPayment, createPayment, type Payment } from '../../../shared/domain/payment.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import { afterOf } from '../../../shared/domain/resource-change.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { anEndpoint } from './entities.ts';
import { newKey } from './merchant.ts';
import { worldOf } from './resources.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { writeEndpoint } = await import('../../../shared/store/events/endpoint.ts');
const { entriesIn } = await import('../../../shared/store/events/outbox.ts');
const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { writesOf } = await import('../../../shared/store/writes.ts');

/** Longer than any test. */
const LEASE_MS = 60_000;

interface Received {
  /** Where it was sent to. */
  readonly path: string;
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly resourceId: string;
}

/** A receiver instead of the sinks that responds when the test releases it. */
export async function startReceiver() {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  let held = /^$/;
  let status = 204;
  const server = createServer(async (request, response) => {
    const { id, sequence, type, data } = (await json(request)) as {
      id: string;
      sequence: number;
      type: string;
      data: { object: { id: string } };
    };
    const path = String(request.url);
    received.push({ path, id, sequence, type, resourceId: data.object.id });
    if (held.test(path)) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Holds the responses to these requests. */
    hold: (paths = /./) => {
      held = paths;
    },
    /** Refuses requests from now on. */
    refuse: () => {
      status = 500;
    },
    /** Responds to all held requests. */
    answer: () => {
      for (const resolve of waiting.splice(0)) {
        resolve();
      }
    },
    letGo: () => {
      held = /^$/;
      for (const resolve of waiting.splice(0)) {
        resolve();
      }
    },
  };
}

/** A world with receivers at these paths. */
export async function newSubscribedWorld(paths: readonly string[] = ['/sink']): Promise<StoredWorld> {
  const { merchant } = await newKey();
  const world = await worldOf(merchant);
  for (const [slot, url] of paths.entries()) {
    await commit([
      writeEndpoint(world, { before: null, after: anEndpoint({ id: newId('snk', Date.now()), slot, url }) }),
    ]);
  }
  return world;
}

/** Makes leases that are renewed only while the test runs. */
export function newLeases(leaseMs = LEASE_MS) {
  const leases = new Leases(leaseMs);
  onTestFinished(() => leases.close());
  return leases;
}

/** Creates a payment and, with `isCanceled`, cancels it: `leases` hold the entries of its commits. */
export async function paymentIn(world: StoredWorld, leases: InstanceType<typeof Leases>, isCanceled = false) {
  const nowMs = Date.now();
  const id = newId('pay', nowMs) as PaymentId;
  const identity = { id, number: 'P-000001', pageSecret: randomUUID(), pageUrl: 'http://127.0.0.1:9/pay' };
  const created = createPayment(identity, { amount: { currency: 'THB', minor: 100 } }, nowMs);
  const changes = [created, ...(isCanceled ? [cancelPayment(afterOf<Payment>(created), nowMs)] : [])];
  const entries = [];
  for (const change of changes) {
    const writes = writesOf({ world, lease: leases.lease }, [change], VIEW);
    await commit(writes);
    entries.push(...entriesIn(writes));
  }
  for (const { key } of entries) {
    leases.hold(key);
  }
  return { id, entries, expiresAtMs: afterOf<Payment>(created).expiresAtMs };
}
