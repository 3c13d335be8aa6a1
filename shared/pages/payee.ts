import { payeeOf, type World } from '../domain/world.ts';
import { type Html, html } from './html.ts';
import type { Texts } from './texts.ts';

/** Shows who is paid, which a payer must be able to check first. */
export function renderPayee(world: World, texts: Texts): Html {
  return html`<p class="payee">${texts.payee} <strong>${payeeOf(world)}</strong></p>`;
}
