import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Runs a file beside this one in a thread of its own, so with a client of the store of its own, and gives what it posts.
 * @param order what the file is told
 */
export async function inOwnThread<Answer>(file: string, order?: object): Promise<Answer> {
  const env = {
    ...process.env,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    POWERTOOLS_LOG_LEVEL: 'WARN',
    POWERTOOLS_METRICS_DISABLED: 'true',
  };
  const worker = new Worker(new URL(file, import.meta.url), { env, workerData: order });
  try {
    const [answer] = (await once(worker, 'message')) as [Answer];
    return answer;
  } finally {
    await worker.terminate();
  }
}
