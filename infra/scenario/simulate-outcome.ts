import type { Client } from '../../shared/client/client.ts';
import type { ScenarioFields } from '../../shared/contract/testkit/scenarios.ts';
import { simulatedIn } from './scenario-calls.ts';

/** The methods of the client that report an outcome of a resource. */
const METHODS = { payment: 'simulatePayment', refund: 'simulateRefund', payout: 'simulatePayout' } as const;

/** Reports an outcome as its provider does. @throws ProblemError if the service refuses it */
export async function simulateOutcome(client: Client, simulate: ScenarioFields): Promise<ScenarioFields> {
  const resource = simulatedIn(simulate);
  const { [resource]: subject, ...fields } = simulate;
  if (resource !== 'settlement') {
    return { ...(await client[METHODS[resource]](String(subject), fields as never)) };
  }
  const of = subject === null ? {} : { provider: String(subject) };
  const result = await client.simulateSettlement({ ...of, ...fields } as never);
  // The result names the payout alone: the newest settlement of the provider is the one that it made.
  const [settlement] = (await client.listSettlements({ ...of, limit: 1 })).data;
  return { ...result, ...(result.outcome !== 'empty' && settlement && { id: settlement.id }) };
}
