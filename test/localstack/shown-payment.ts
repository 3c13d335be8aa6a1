import { createClient } from '../../shared/client/client.ts';
import type { Stage } from '../deployed/stage.ts';

/** A payment whose QR is shown to its payer. */
export interface ShownPayment {
  readonly id: string;
  readonly reference: string;
  /** The address of its QR as SVG. */
  readonly picture: string;
  /** What the QR says. */
  readonly payload: string;
}

/** Creates a payment that has a page for its payer, through the gateway. */
export async function createShownPayment(stage: Stage): Promise<ShownPayment> {
  const reference = 'shown-on-the-dashboard';
  const { id, next_action: action } = await createClient(stage).createPayment({
    amount: { currency: 'THB', minor: 129_900 },
    method: 'promptpay',
    reference,
    checkout: true,
  });
  if (action?.type !== 'display_qr') {
    throw new Error(`${id} has no QR`);
  }
  return { id, reference, picture: action.qr.image_svg_url, payload: action.qr.payload };
}
