import { worldIdOf } from '../../shared/domain/world.ts';
import { formatMoney } from '../terminal/baht.ts';
import type { Acts, GivenTo } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import type { ERASE } from '../terminal/options.ts';
import { print } from '../terminal/print.ts';
import { existingMerchant } from './existing-merchant.ts';
import { readActor } from './read-actor.ts';
import { useService } from './target.ts';

async function erase(values: GivenTo<typeof ERASE, ''>): Promise<void> {
  const { payment: id, merchant, mode } = values;
  await useService(values);
  // Loaded after the store is configured for the service.
  const [{ findWorld }, { find }, { erasePayer }] = await Promise.all([
    import('../../shared/store/worlds/world.ts'),
    import('../../shared/store/table/entity.ts'),
    import('../../shared/flows/erase-payer.ts'),
  ]);
  await existingMerchant(merchant);
  const world = await findWorld(worldIdOf(merchant, mode));
  const payment = world?.merchant === merchant ? await find('payment', world, id) : null;
  if (world === null || payment === null) {
    const other = mode === 'live' ? 'test' : 'live';
    throw new Error(
      `Payment ${id} not found in the ${mode} world of ${merchant}. "--mode ${other}" searches the other world.`,
    );
  }
  const { number, amount } = payment;
  const what = `This permanently erases the payer of ${number}, ${formatMoney(amount)}.`;
  if (!values.yes && !(await isMeant(what, 'erase'))) {
    throw new Error('Nothing was erased.');
  }
  const erased = await erasePayer(world, payment, await readActor(values), Date.now());
  if (erased === null) {
    throw new Error('The payment kept changing. Nothing was erased: try again.');
  }
  const { payments, events, responses, requests, deliveries } = erased;
  const list = Object.entries({
    payments,
    events,
    'saved responses': responses,
    'logged requests': requests,
    deliveries,
  })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
  const text =
    list === '' ? 'Nothing to erase: this payer was erased before.' : `The payer is erased: ${list}.`;
  const counts = { payments, events, saved_answers: responses, logged_requests: requests, deliveries };
  print(values.json, { payment_id: id, erased: counts }, text);
}

export const acts: Acts<typeof ERASE> = { '': erase };
