import { payeeOf, type World } from '../domain/world.ts';
import { type Html, html } from './html.ts';
import type { Texts } from './texts.ts';

/** Shows who is paid, which a payer must be able to check first. The logo's host does not learn the page's address. */
export function renderPayee(world: World, texts: Texts): Html {
  const { logoUrl } = world;
  return html`<div class="shop">${logoUrl !== undefined && html`<img class="logo" src="${logoUrl}" alt="" width="48" height="48" referrerpolicy="no-referrer">`}<p class="payee">${texts.payee} <strong>${payeeOf(world)}</strong></p></div>`;
}
