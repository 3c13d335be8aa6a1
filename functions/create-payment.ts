import { viewPayment } from '../shared/contract/payment-view.ts';
import { paymentOperations } from '../shared/contract/payments.ts';
import { openPayment } from '../shared/domain/open-payment.ts';
import { providerFor } from '../shared/domain/providers.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { insertPayment } from '../shared/store/payment.ts';
import { takeNumber } from '../shared/store/world.ts';

/** Creates a payment and, where the method is known, begins to collect it. */
export const handler = serve(paymentOperations.createPayment, async (request) => {
  const { world, body } = request;
  const opening = { ...request, number: await takeNumber(world, 'payment') };
  const { steps, payment } = openPayment(providerFor(world.mode), opening, body);
  return {
    changes: [...insertPayment(world, payment), ...announce(request, steps, viewPayment)],
    answer: viewPayment(world, payment),
  };
});
