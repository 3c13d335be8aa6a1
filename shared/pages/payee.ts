import { payeeOf, type World } from '../domain/world.ts';
import { type Html, html } from './html.ts';
import type { Texts } from './texts.ts';

/** Says who is paid: the first thing that a payer must be able to check. */
export function renderPayee(world: World, texts: Texts): Html {
  return html`<p class="payee">${texts.payee} <strong>${payeeOf(world)}</strong></p>`;
}
