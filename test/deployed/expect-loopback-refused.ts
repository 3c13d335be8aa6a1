import { startMerchantServer } from '../support/world/merchant-server.ts';
import { call, type Stage } from './stage.ts';

/**
 * Tries to register a server of this machine as a webhook endpoint, in test mode, as `npm start` allows and a stage does
 * not: it would be the machine of the stage.
 * @throws Error if one is not refused as such, or exists afterwards
 */
export async function expectLoopbackRefused(stage: Stage): Promise<void> {
  const server = await startMerchantServer();
  try {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://127.0.0.1:${server.port}/hook`;
      const { status, body } = await call(stage, 'POST', '/webhook-endpoints', { url });
      const errors = body.errors?.map(({ field, code }) => `${field}: ${code}`).join(', ');
      if (status !== 422 || errors !== 'url: forbidden') {
        throw new Error(`${url} as an endpoint answered ${status} (${errors})`);
      }
    }
    const { body } = await call(stage, 'GET', '/webhook-endpoints');
    if (body.data.length > 0 || server.received.length > 0) {
      throw new Error('a refused endpoint exists, or got a request');
    }
  } finally {
    await server.stop();
  }
}
