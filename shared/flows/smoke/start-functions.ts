import { functionNameOf } from '../../contract/operation.ts';
import { allOperations } from '../../contract/operations.ts';
import { log } from '../../telemetry/log.ts';
import type { SmokeCall } from './smoke-call.ts';

const NOBODYS = 'smoke';

/**
 * Starts the new version of each function of the API once, with a request that it refuses: without a key, about
 * something that nobody has.
 * @throws Error where one does not start, or fails before it can refuse
 */
export async function startFunctions(
  versions: ReadonlyMap<string, string>,
  callWithoutKey: SmokeCall,
): Promise<void> {
  for (const row of allOperations.filter((each) => versions.has(functionNameOf(each)))) {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const { status } = await callWithoutKey(row, {
      params: Object.fromEntries(names.map((name) => [name, NOBODYS])),
    });
    if (status >= 500) {
      log.error('a new version failed', { function: functionNameOf(row), status });
      throw new Error(`the new ${functionNameOf(row)} responded with ${status}`);
    }
  }
}
