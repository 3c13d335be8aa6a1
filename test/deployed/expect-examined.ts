import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createClient } from '../../shared/client/client.ts';
import type { ExamReport } from '../../shared/contract/testkit/exam-report.ts';
import { startPythonShop } from '../exam/start-python-shop.ts';
import { runCommand } from '../support/tools/run-command.ts';
import type { ServiceFile } from '../support/world/host.ts';

const ASKED = ['PAY-01', 'DUP', 'SIG', 'REF-01', 'ORD-01'];
/** All of these. A question that is skipped did not pass. */
const ASKED_COUNT = 19;

/**
 * Examines a shop in another language with a stage, as its developer does by `pg exam`: the shop passes, a probe that
 * never says that an order is paid fails, and the worlds of both exams are gone.
 * @param dir for its files
 * @throws Error if it is not so
 */
export async function expectExamined(
  { baseUrl, key }: Pick<ServiceFile, 'baseUrl' | 'key'>,
  dir: string,
): Promise<void> {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
  const exam = async (...args: string[]) =>
    (await runCommand('node', ['infra/pg/pg.ts', 'exam', ...args, '--dir', dir], { env })).stdout.trim();
  const client = createClient({ baseUrl, key });
  const worlds = async () => (await client.listTestWorlds()).data.map(({ id }) => id).join();
  const before = await worlds();
  const shop = await startPythonShop(await exam('--print-secret'));
  const wrong = await startWrongProbe();
  try {
    const addresses = ['--receiver', `${shop.url}/webhooks`, '--order', `${shop.url}/orders`];
    const file = path.join(dir, 'exam.json');
    const askOf = (probe: string, only: readonly string[]) =>
      exam(
        ...addresses,
        '--event-timeout',
        '120s',
        '--probe',
        probe,
        '--only',
        only.join(),
        '--report',
        file,
      );
    await askOf(`${shop.url}/probe`, ASKED);
    const { passed, failed } = JSON.parse(await readFile(file, 'utf8')) as ExamReport;
    if (passed !== ASKED_COUNT || failed !== 0) {
      throw new Error(`a right shop passed ${passed} of ${ASKED_COUNT} questions and failed ${failed}`);
    }
    const verdict = await askOf(wrong.url, ['PAY-01']).catch((error: Error) => error.message);
    if (
      !/was: +the probe says paid false of exam-\S+, [\d.]+ s after its last event\n.*1 of 1 failed\./s.test(
        verdict,
      )
    ) {
      throw new Error(`a wrong probe was to fail:\n${verdict}`);
    }
  } finally {
    wrong.stop();
    await shop.stop();
  }
  const after = await worlds();
  if (after !== before) {
    throw new Error(`the worlds were ${before || 'none'}, and are ${after} after the exams`);
  }
}

/** A probe for which no order is ever paid. */
async function startWrongProbe() {
  const unpaid = JSON.stringify({ paid: false, fulfilled: 0, refunded_minor: 0 });
  const server = createServer((_, response) => response.end(unpaid));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
