/// <reference lib="dom" />
import { addressOfId } from '../../story/addresses.ts';
import type { ListedKind } from '../../story/lists.ts';
import { askForInput } from '../act/form-dialog.tsx';
import { type Dashboard, useDashboard } from '../call/dashboard-context.ts';
import { listViewTexts } from './list-view-texts.ts';

const texts = listViewTexts.create;

/** Asks for a payment, in the words and the units of people; shows it once it is there. */
async function createPayment(dashboard: Dashboard): Promise<void> {
  const created = await askForInput(dashboard, 'payments.CreatePayment', {
    title: texts.payment,
    label: texts.submit,
    values: { checkout: true },
    fields: ['amount', 'method', 'reference', 'description', 'expires_in_minutes'],
  });
  follow(created);
}

/** Asks for a payment link. */
async function createLink(dashboard: Dashboard): Promise<void> {
  const created = await askForInput(dashboard, 'checkout.CreatePaymentLink', {
    title: texts.link,
    label: texts.submit,
    values: { amount: { type: 'fixed' } },
    fields: ['amount', 'description', 'max_uses'],
  });
  follow(created);
}

function follow(created: { readonly id: string } | null): void {
  const address = created === null ? null : addressOfId(created.id);
  if (address !== null) {
    location.hash = address;
  }
}

/** What people create, by the resource that a list shows. */
const CREATE: Readonly<
  Record<string, { readonly label: string; readonly ask: (dashboard: Dashboard) => Promise<void> }>
> = {
  payment: { label: texts.payment, ask: createPayment },
  paymentLink: { label: texts.link, ask: createLink },
};

/** Creates another one of what a list shows; nothing where people create none. */
export function CreateButton({ kind: { resource } }: { readonly kind: Pick<ListedKind, 'resource'> }) {
  const dashboard = useDashboard();
  const create = CREATE[String(resource)];
  return create === undefined ? null : (
    <button type="button" class="primary" onClick={() => void create.ask(dashboard)}>
      {create.label}
    </button>
  );
}
