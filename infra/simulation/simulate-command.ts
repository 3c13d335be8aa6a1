import { UsageError } from '../terminal/command.ts';
import { optionsOf, PG_OPTIONS } from '../terminal/options.ts';
import type { Command, PgRun } from '../terminal/pg-command.ts';

const ADDRESSES = ['receiver', 'order', 'probe'] as const;
const SHOP_OPTIONS = {
  ...optionsOf(...ADDRESSES),
  seed: { ...PG_OPTIONS.seed, says: 'the seed of the first story; without it, a random one' },
  ...optionsOf('stories', 'seconds', 'story', 'scheme', 'secret-env', 'event-timeout'),
};

const TAKES =
  'simulate takes an id and an outcome, or the addresses of a shop: --receiver, --order and --probe.';
const USAGE = `With the addresses of your shop, which are those of "exam", it tells the shop random stories: orders are opened, paid,
  refunded, fail, expire or are canceled, and money comes late. Webhooks come twice, five at once, out of order, a day later,
  and with lost answers. After each step, the laws of the exam are checked by --probe.

  pg simulate --receiver http://127.0.0.1:3000/webhooks --order http://127.0.0.1:3000/orders \\
    --probe http://127.0.0.1:3000/probe --stories 20

  The same seed tells the same story, in a test world of its own, which is deleted afterwards. Where a law does not hold, it
  prints the shortest story that still breaks it, and the command that tells it again. Exit code 1 where a law does not
  hold, 2 for any other error. The guide at /docs/exam says more.`;

/** `pg simulate`: one outcome, as the given command simulates it, or stories at a shop. */
export function simulateCommand(ofOutcome: Command): Command {
  const { options: outcomeOptions = {}, says, run: simulateOutcome } = ofOutcome;
  return {
    ...ofOutcome,
    takes: '[ID] [OUTCOME]',
    options: { ...outcomeOptions, ...SHOP_OPTIONS },
    says: `${says}, or random stories of orders at your shop`,
    more: USAGE,
    errorCode: (words) => (words.some((word) => nameOf(word) in SHOP_OPTIONS) ? 2 : 1),
    run: async (run) => {
      const isAtShop = ADDRESSES.some((name) => run.values[name] !== undefined);
      const foreign = givenOf(isAtShop ? outcomeOptions : SHOP_OPTIONS, run);
      if (foreign !== undefined) {
        throw new UsageError(
          `--${foreign} is for ${isAtShop ? 'one outcome' : 'stories at a shop'}: ${TAKES}`,
        );
      }
      if (run.args.length !== (isAtShop ? 0 : 2)) {
        throw new UsageError(TAKES);
      }
      // Loaded here, since no other command needs it.
      await (isAtShop ? (await import('./simulate-shop.ts')).simulateShop(run) : simulateOutcome?.(run));
    },
  };
}

/** `--seed=7` → `seed` */
function nameOf(word: string): string {
  return /^--([a-z-]+)/.exec(word)?.[1] ?? '';
}

/** The first of the options that was typed. */
function givenOf(options: object, { values }: PgRun): string | undefined {
  const typed: Readonly<Record<string, unknown>> = values;
  return Object.keys(options).find((name) => typed[name] !== undefined && typed[name] !== false);
}
