import { paymentOperations, viewCanceledPayment } from '../shared/contract/payments.ts';
import { cancelPayment } from '../shared/domain/payment.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { isCanceledMeanwhile, stopPayment } from '../shared/flows/stop-payment.ts';
import { serve } from '../shared/http/serve.ts';
import { getPayment } from '../shared/store/money/payments.ts';

/** Cancels a payment that is not paid yet. */
export const handler = serve(paymentOperations.cancelPayment, async (request) => {
  const { world, params, nowMs, claim } = request;
  const payment = await getPayment(request, params.id);
  if (await isCanceledMeanwhile(payment, claim)) {
    return { response: viewCanceledPayment(world, payment, request) };
  }
  const canceled = cancelPayment(payment, nowMs);
  await stopPayment(world, payment, { nowMs, claim });
  return { changes: [canceled], response: viewCanceledPayment(world, afterOf(canceled), request) };
});
