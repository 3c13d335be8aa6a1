import { operations } from '../shared/contract/operations.ts';
import { viewPayment } from '../shared/contract/views.ts';
import { lastOf, openPayment } from '../shared/domain/open-payment.ts';
import { providerFor } from '../shared/domain/providers.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { insertJob } from '../shared/store/job.ts';
import { insertPayment } from '../shared/store/payment.ts';
import { takeNumber } from '../shared/store/world.ts';

/** Creates a payment and, where the method is known, begins to collect it. */
export const handler = serve(operations.createPayment, async (request) => {
  const { world, body } = request;
  const steps = openPayment(
    providerFor(world.mode),
    { ...request, number: await takeNumber(world, 'payment') },
    body,
  );
  const payment = lastOf(steps);
  return {
    changes: [
      insertPayment(world, payment),
      insertJob(world, { kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId: payment.id }),
      ...steps.map((step, place) =>
        announce(request, `payment.${step.status}`, step, viewPayment(world, step), steps[place - 1] ?? null),
      ),
    ],
    answer: viewPayment(world, payment),
  };
});
