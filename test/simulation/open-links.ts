import { operations } from '../../shared/contract/operations.ts';
import type { KnownResources, Scene } from './scene.ts';

/* Links without an amount, and what payers type. */

/** Amounts as payers type them, and what they mean in satang; null where they mean none. */
const TYPED: readonly (readonly [string, number | null])[] = [
  ['20', 2_000],
  ['1299.5', 129_950],
  ['50.05', 5_005],
  ['๑๒', 1_200],
  ['1,000', 100_000],
  ['0.5', 50],
  ['5000000', 500_000_000],
  ['ten', null],
];
export const TYPED_COUNT = TYPED.length;
const OPEN_MAX_MINOR = 100_000_000;
const LINK_SECONDS = 60;

interface ShownLink {
  readonly amount_type?: string;
  readonly min_amount?: { readonly minor: number } | null;
  readonly max_amount?: { readonly minor: number } | null;
}

/** A payer enters the amount of this number, and gets what the payer typed. */
export async function payTyped(
  scene: Scene,
  link: KnownResources['links'][number],
  typed: number,
  part: string,
): Promise<void> {
  const [text, minor] = TYPED[typed] as (typeof TYPED)[number];
  scene.watch.typed(link.id, minor);
  const fields = { attempt: scene.keyOf(part), amount: text };
  const answer = await scene.send(scene.client.formOf(link.url, fields));
  const shown = (await scene.call(operations.getPaymentLink, { params: { id: link.id } })).json as ShownLink;
  if (shown.amount_type === 'open' && answer.status < 429) {
    const [least, most] = [shown.min_amount?.minor ?? 1, shown.max_amount?.minor ?? OPEN_MAX_MINOR];
    const isTaken = minor !== null && minor >= least && minor <= most;
    // A link that takes nothing says so whatever the amount is.
    if (answer.status < 400 ? !isTaken : answer.status === 422 && isTaken) {
      const said = `"${text}" baht was answered by ${answer.status}`;
      scene.watch.break('amount', `${said}, where ${least} to ${most} satang are taken`);
    }
  }
}

/** The least and the most that a link takes, in satang; null: what every link takes. */
export type Bounds = readonly [least: number | null, most: number | null];

/** The amount of a link within its bounds, as a request has it. */
export function openAmount([least, most]: Bounds) {
  const thb = (minor: number) => ({ currency: 'THB', minor });
  return {
    type: 'open',
    currency: 'THB',
    ...(least !== null && { min: thb(least) }),
    ...(most !== null && { max: thb(most) }),
  };
}

/** A link, and payers that type an amount one after another. */
export async function liveOpenLink(
  scene: Scene,
  { bounds, all }: { readonly bounds: Bounds; readonly all: readonly number[] },
): Promise<void> {
  const body = { amount: openAmount(bounds) };
  const { status, json } = await scene.call(operations.createPaymentLink, { body }, 'create');
  if (status === 201) {
    const link = { id: String(json.id), url: String(json.url) };
    for (const [nth, typed] of all.entries()) {
      await payTyped(scene, link, typed, `payer ${nth}`);
    }
  }
}

/** The creation of a link is sent once more after the end of the link. */
export async function repeatEnded(scene: Scene): Promise<void> {
  const ends = new Date(scene.clockMs + LINK_SECONDS * 1_000).toISOString();
  const body = { amount: openAmount([null, null]), expires_at: ends };
  const create = scene.client.requestOf(operations.createPaymentLink, { body }, scene.keyOf('create'));
  await scene.client.sendUntilAnswered(create);
  await scene.pass(2 * LINK_SECONDS, 'move');
  await scene.repeat(create);
}
