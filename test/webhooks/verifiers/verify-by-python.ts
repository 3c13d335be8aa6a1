import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPythonPackage } from '../../support/tools/python-package.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import type { SentWebhook } from './sent-webhooks.ts';

/** The official library, of the release that this was tried on. It needs no other package. */
export const PYTHON_RELEASE = 'standardwebhooks==1.1.0';

const PROGRAM = path.join(import.meta.dirname, 'verify.py');

/** Which of these webhooks the Standard Webhooks library for Python accepts. */
export async function verifyByPython(webhooks: readonly SentWebhook[]): Promise<boolean[]> {
  const venv = await installPythonPackage(PYTHON_RELEASE);
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-webhooks-'));
  try {
    const file = path.join(dir, 'webhooks.json');
    await writeFile(file, JSON.stringify(webhooks));
    const { stdout } = await runCommand(path.join(venv, 'bin', 'python'), [PROGRAM, file]);
    return JSON.parse(stdout) as boolean[];
  } finally {
    await rm(dir, { recursive: true });
  }
}
