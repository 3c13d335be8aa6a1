import { expect, test } from 'vitest';
import type { DeliveryTarget } from '../../../shared/domain/delivery.ts';
import { newId } from '../../../shared/domain/id.ts';
import { aDelivery, anEndpoint, aWorld, CREATED_AT_MS } from '../../support/world/entities.ts';
import { newSubscribedWorld } from '../../support/world/subscribed-world.ts';

const { KnownEndpoints } = await import('../../../shared/flows/dispatch/known-endpoints.ts');

const endpoint = anEndpoint({ id: newId('whe', CREATED_AT_MS), url: 'https://shop.example/hooks' });
const target: DeliveryTarget = { id: endpoint.id, endpoint, url: endpoint.url, reach: 'public' };
const refused = aDelivery({ status: 'failed', responseStatus: 410, attemptedAtMs: CREATED_AT_MS });
const outcome = { target, attempts: [refused], queued: [] };

test('an endpoint is as the commits of this run have left it', () => {
  const known = new KnownEndpoints(aWorld());
  expect(known.current([target])).toEqual([target]);
  const [change] = known.changesBy([outcome]);
  expect(change?.after).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  known.keep(change === undefined ? [] : [change]);
  expect(known.current([target])[0]?.endpoint).toEqual(change?.after);
  // The same outcome changes an endpoint only once.
  expect(known.changesBy([outcome])).toEqual([]);
});

test('an endpoint that was deleted meanwhile is left out, and changed no more', async () => {
  const known = new KnownEndpoints(await newSubscribedWorld([]));
  await known.refresh(known.changesBy([outcome]));
  expect(known.current([target])).toEqual([]);
  expect(known.changesBy([outcome])).toEqual([]);
});
