import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Starts a service, which ends with this process, and sends it the first request.
 * @param program the words before `--leash`
 * @returns `startMs`: until the headers of the first response
 */
export async function startOnLeash([command = '', ...args]: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(command, [...args, '--leash'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const { baseUrl, key } = JSON.parse(String(line)) as { baseUrl: string; key: string };
  const response = await fetch(`${baseUrl}/api/v1/key`, { headers: { Authorization: `Bearer ${key}` } });
  if (response.status !== 200) {
    throw new Error(`a new service answered ${response.status}`);
  }
  return {
    baseUrl,
    key,
    pid: Number(child.pid),
    startMs: performance.now() - startedAt,
    stop: async () => {
      child.stdin.end();
      await Promise.all([once(child, 'exit'), text(child.stdout)]);
    },
  };
}
