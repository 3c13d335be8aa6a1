import type { Client } from '../../shared/client/client.ts';
import type { ScenarioFields, SimulatedResource } from '../../shared/contract/testkit/scenarios.ts';
import { simulatedIn } from './scenario-calls.ts';

type Simulate = (client: Client, subject: unknown, fields: ScenarioFields) => Promise<ScenarioFields>;

const SIMULATE: Readonly<Record<SimulatedResource, Simulate>> = {
  payment: async (client, id, fields) => ({ ...(await client.simulatePayment(String(id), fields as never)) }),
  refund: async (client, id, fields) => ({ ...(await client.simulateRefund(String(id), fields as never)) }),
  payout: async (client, id, fields) => ({ ...(await client.simulatePayout(String(id), fields as never)) }),
  settlement: async (client, provider, fields) => {
    const of = provider === null ? {} : { provider: String(provider) };
    const result = await client.simulateSettlement({ ...of, ...fields } as never);
    // The result names the payout alone: the newest settlement of the provider is the one that it made.
    const [settlement] = (await client.listSettlements({ ...of, limit: 1 })).data;
    return { ...result, ...(result.outcome !== 'empty' && settlement && { id: settlement.id }) };
  },
};

/** Reports an outcome as its provider does. @throws ProblemError if the service refuses it */
export function simulateOutcome(client: Client, simulate: ScenarioFields): Promise<ScenarioFields> {
  const resource = simulatedIn(simulate);
  const { [resource]: subject, ...fields } = simulate;
  return SIMULATE[resource](client, subject, fields);
}
