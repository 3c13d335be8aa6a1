import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { installPythonPackage } from '../support/tools/python-package.ts';
import { PYTHON_RELEASE } from '../webhooks/verifiers/verify-by-python.ts';

/** Starts the shop in Python, a process of its own, on a free port. */
export async function startPythonShop(secret: string) {
  const venv = await installPythonPackage(PYTHON_RELEASE);
  const child = spawn(
    path.join(venv, 'bin', 'python'),
    [path.join(import.meta.dirname, 'shops', 'python_shop.py')],
    { env: { ...process.env, PORT: '0', WEBHOOK_SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => [`it ended with ${code}`]),
  ]);
  const [, url] = /^Shop at (http:\S+)$/.exec(String(line)) ?? [];
  if (url === undefined) {
    throw new Error(`The shop in Python did not start: ${line}`);
  }
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
