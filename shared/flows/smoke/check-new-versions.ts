import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { functionNameOf } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { SmokeKey } from '../../store/worlds/smoke-key.ts';
import { log } from '../../telemetry/log.ts';
import { reportSmoke } from './report-smoke.ts';
import { overHttp } from './smoke-call.ts';
import { startFunctions } from './start-functions.ts';
import { startWorkers } from './start-workers.ts';
import { type InvokeVersion, toVersions } from './version-call.ts';

interface NewVersions extends SmokeKey {
  /** The ARN of the newest version of each function that is on trial, by the function's name. */
  readonly versions: ReadonlyMap<string, string>;
}

/** With its new version a payment is created: without, there is nothing of the API to try. */
const CREATING = functionNameOf(operations.createPayment);

/**
 * Tries new versions together: each is started once, and those of the API that create and pay a payment of test mode
 * do that.
 *
 * This proves that all start with their environment, and that the two do their work on the table with their roles. It
 * does not prove the new workers' work: the table's stream still starts the old ones, which publish and deliver these
 * events. Nor does it reach what serves only live money: a provider, its notifications, refunds, links. The alarms watch
 * those while they have a tenth of the calls.
 */
export async function checkNewVersions(
  lambda: Pick<LambdaClient, 'send'>,
  { versions, baseUrl, key }: NewVersions,
): Promise<void> {
  const invoke: InvokeVersion = async (FunctionName, event) => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
    );
    if (FunctionError !== undefined) {
      log.error('a new version failed', { version: FunctionName, why: FunctionError });
      throw new Error(`${FunctionName} failed: ${FunctionError}`);
    }
    return JSON.parse(Buffer.from(Payload ?? []).toString() || 'null');
  };
  const callWith = (own: string) =>
    toVersions({ versions, invoke, baseUrl, key: own, otherwise: overHttp(baseUrl, own) });
  await startWorkers(versions, invoke);
  await startFunctions(versions, callWith(''));
  if (versions.has(CREATING)) {
    await reportSmoke(callWith(key));
  }
}
