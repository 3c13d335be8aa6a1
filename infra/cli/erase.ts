import { parseArgs } from 'node:util';
import { isId } from '../../shared/domain/id.ts';
import { MODES, type Mode, worldIdOf } from '../../shared/domain/world.ts';
import { runCommand, UsageError } from '../machine/command.ts';
import { actorOf } from './actor.ts';
import { isMeant } from './confirm.ts';
import { formatMoney } from './pg/baht.ts';
import { useService } from './target.ts';

/* npm run erase: removes a payer's data from a payment and from everything that was stored about it. */

const USAGE = `Usage:
  npm run erase -- --payment ID --merchant NAME [--mode live|test] [--yes] [--json]

  Removes the payer's name, email, phone and IP address (client_ip) from the payment, its events, their deliveries
  and the saved responses of its Idempotency-Keys, and deletes the responses of receivers to its events. Amounts, times
  and all other data stay, including the merchant's reference, description and metadata. Data that was already sent to
  others is not recalled. The command can be repeated, also after an interruption. It writes an audit entry.

  --payment ID      pay_…
  --merchant NAME   the merchant of the payment
  --mode MODE       live or test (default live)
  --yes             skips the confirmation
  --json            prints JSON
  --stack NAME      on a deployed stack instead of the local service
  --dir PATH        data folder of the local service (default .local)
`;

const OPTIONS = {
  payment: { type: 'string' },
  merchant: { type: 'string' },
  mode: { type: 'string', default: 'live' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  stack: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const { payment: id, merchant, mode, stack } = values;
  if (id === undefined || !isId('pay', id)) {
    throw new UsageError('Name the payment by its id: --payment pay_….');
  }
  if (merchant === undefined) {
    throw new UsageError('Name the merchant whose payment it is: --merchant NAME.');
  }
  if (!MODES.includes(mode as Mode)) {
    throw new UsageError('--mode takes one of: live, test.');
  }
  await useService(values);
  // Loaded after the store is configured for the service.
  const [{ findWorld }, { find }, { eraseFromStore }, { recordAudit }] = await Promise.all([
    import('../../shared/store/world.ts'),
    import('../../shared/store/entity.ts'),
    import('../../shared/store/erase.ts'),
    import('../../shared/store/audit.ts'),
  ]);
  const world = await findWorld(worldIdOf(merchant, mode as Mode));
  const payment = world?.merchant === merchant ? await find('payment', world, id) : null;
  if (world === null || payment === null) {
    const other = mode === 'live' ? 'test' : 'live';
    throw new Error(
      `Payment not found in the ${mode} world of this merchant. "--mode ${other}" searches the other world.`,
    );
  }
  const { number, amount } = payment;
  const what = `This permanently erases the payer of ${number}, ${formatMoney(amount)}.`;
  if (!values.yes && !(await isMeant(what, 'erase'))) {
    throw new Error('Nothing was erased.');
  }
  const actor = await actorOf({ stack });
  const atMs = Date.now();
  const record = { atMs, action: 'erase', actor, merchant, mode: world.mode, subject: id } as const;
  const erased = await eraseFromStore(world, id, atMs, () => recordAudit({ ...record, details: { number } }));
  const places = Object.entries(erased ?? {}).filter(([, count]) => count > 0);
  const list = places.map(([place, count]) => `${place.replace('_', ' ')} ${count}`).join(', ');
  const text =
    list === '' ? 'Nothing to erase: this payer was erased before.' : `The payer is erased: ${list}.`;
  console.log(values.json ? JSON.stringify({ payment_id: id, erased }, null, 2) : text);
}

runCommand('npm run erase', USAGE, main);
