import { optionsOf } from '../terminal/options.ts';
import type { Command } from '../terminal/pg-command.ts';

const USAGE = `The questions and what each costs a shop that fails: the guide at /docs/exam. It sends events as "listen" does, from
  this machine, in a test world of its own, which is deleted afterwards.

  --order takes POST {"reference": "exam-…", "amount": {"currency": "THB", "minor": 129900}} and answers 2xx: the shop has an
  open order. Where the shop creates its payments itself, with the key in the header x-pg-key, it answers
  {"payment_id": "pay_…"}. --probe takes GET ?reference=exam-… and answers
  {"paid": true, "fulfilled": 1, "refunded_minor": 0}, or 404. Without them, only what HTTP can answer is asked.

  --scheme signs as another provider does, for a receiver of its webhooks: the body stays the same. The secret is printed in
  the form of the scheme; --secret-env names the variable that holds the receiver's own.

  Everything random comes from the seed. Exit code 1 where a question failed.`;

export const EXAM_COMMAND: Command = {
  options: optionsOf(
    'receiver',
    'order',
    'probe',
    'only',
    'seed',
    'report',
    'junit',
    'html',
    'markdown',
    'scheme',
    'secret-env',
    'print-secret',
    'event-timeout',
  ),
  says: 'Examine the webhook receiver of your shop: what it does with duplicates, forgeries, late money',
  more: USAGE,
  // Loaded here, since no other command needs it.
  run: async (run) => (await import('./examine-shop.ts')).examineShop(run),
};
