import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../shared/client/client.ts';
import { freePort } from './support/tools/free-port.ts';
import { fenced, startCheckout, startReceiver } from './support/tools/readme.ts';

const run = promisify(execFile);

/** Pastes the preparation and the n-th transcript of the README into a shell, and returns the output. */
async function runTranscript(index: number) {
  const { top, stop } = await startCheckout();
  try {
    const pasted = fenced('sh preparation') + fenced('sh transcript', index);
    const { stdout } = await run('bash', ['-euc', pasted], { cwd: top });
    const answers = stdout.split('\n').filter((line) => line.startsWith('{"'));
    return { stdout, answers: answers.map((line) => JSON.parse(line)) };
  } finally {
    await stop();
  }
}

/** Saves the TypeScript of the README under its stated path, runs it, and returns the output. */
async function runProgram() {
  const program = fenced('ts');
  const { top, stop } = await startCheckout();
  try {
    await writeFile(path.join(top, 'first.mts'), program);
    return { program, ...(await run(process.execPath, ['first.mts'], { cwd: top })) };
  } finally {
    await stop();
  }
}

/** Starts the receiver of the README, pastes the commands for it, and returns the receiver's output. */
async function runReceiver() {
  const { top, stop } = await startCheckout();
  const { port, lines, close } = await startReceiver(top);
  try {
    const pasted = fenced('sh preparation') + fenced('sh transcript', 4).replace('3000', port);
    await run('bash', ['-euc', pasted], { cwd: top });
    return await lines(3);
  } finally {
    await close();
    await stop();
  }
}

/** Pastes the exam of the README, and returns its output and what it leaves. */
async function runExam() {
  const { top, stop } = await startCheckout();
  const shop = `http://127.0.0.1:${await freePort()}`;
  try {
    const exam = fenced('sh exam').replaceAll('3001', new URL(shop).port);
    // After the last line the shop has ended, or ends soon. After a line that fails, it is ended here.
    const pasted = `${fenced('sh preparation')}trap 'kill \${SHOP:-} 2>&- || true' EXIT\n${exam}wait $SHOP || true`;
    const { stdout } = await run('bash', ['-euc', pasted], { cwd: top, timeout: 500_000 });
    const html = await readFile(path.join(top, 'exam.html'), 'utf8');
    const client = createClient(JSON.parse(await readFile(path.join(top, '.payments/service.json'), 'utf8')));
    const worlds = (await client.listTestWorlds()).data;
    return { stdout, html, worlds, shopAnswers: await fetch(shop).then(Boolean, () => false) };
  } finally {
    await stop();
  }
}

describe('the README', () => {
  test('has a payment that is paid and a webhook that arrives, as printed', async () => {
    const { stdout, answers } = await runTranscript(0);
    expect(answers).toMatchObject([
      { status: 'requires_action', reference: 'order-1042', next_action: { type: 'display_qr' } },
      { outcome: 'succeeded' },
      { advanced_seconds: 1 },
      { code: 'invalid_state', details: { current_status: 'succeeded' } },
    ]);
    expect(stdout).toMatch(/^http:.*\/checkout\/\w+$/m);
    expect(stdout).toMatch(/^succeeded$/m);
    const delivery = stdout.slice(stdout.indexOf("id: 'dlv_"));
    expect(delivery).toContain('"type":"payment.succeeded"');
    expect(delivery).toContain('answered_status: 200,');
    expect(delivery).toContain("signature_verdict: 'valid'");
  });

  test('has a retry test that works as printed', async () => {
    const { stdout, answers } = await runTranscript(1);
    expect(answers).toMatchObject([
      { fail_count: 2, respond_status: 503 },
      { amount_type: 'fixed' },
      { advanced_seconds: 360 },
    ]);
    expect(stdout).toMatch(/^\[ 200, 503, 503 \]$/m);
  });

  test('simulates a month in a minute, as printed', async () => {
    expect((await runTranscript(2)).answers).toMatchObject([
      { profile: 'month', created: { payments: 300 }, already_seeded: false },
      { has_more: true },
      { advanced_seconds: 2_592_000 },
      { status: 'completed', deleted: { payments: 300 } },
      { data: [] },
    ]);
  });

  test('has a command line that works as printed', async () => {
    const { stdout } = await runTranscript(3);
    expect(stdout).toMatch(
      /^Created P-000001 {2}1,299\.00 THB {2}requires_action {2}pay_\w{26}\nCheckout page: http/m,
    );
    expect(stdout).toMatch(/^queued: .*: P-000001 /m);
    expect(stdout).toMatch(/^The clock shows .*\n.*outcomes applied: 1/m);
    expect(stdout).toMatch(/\n.* {2}Paid\n/);
  });

  test('has a client in five lines that works as printed', async () => {
    const { program, stdout, stderr } = await runProgram();
    expect({ stdout, stderr }).toEqual({ stdout: 'P-000001 succeeded\n', stderr: '' });
    const code = program.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(code.length).toBeLessThanOrEqual(5);
  });

  test('has a webhook receiver that verifies forwarded events, as printed', async () => {
    expect(await runReceiver()).toEqual([
      expect.stringMatching(/^verified payment\.created pay_\w{26}$/),
      expect.stringMatching(/^verified payment\.requires_action pay_\w{26}$/),
      expect.stringMatching(/^verified payment\.succeeded pay_\w{26}$/),
    ]);
  });

  test('has an exam that a right shop passes, and that leaves nothing but its report', async () => {
    const { stdout, html, worlds, shopAnswers } = await runExam();
    expect(stdout).toMatch(/^48 of 49 questions passed, 1 skipped/m);
    expect(html).toContain('48 of 49 questions passed, 1 skipped');
    expect(worlds).toEqual([]);
    expect(shopAnswers).toBe(false);
  });

  test.each(['', 'undefined'])('has a receiver that does not start with the secret "%s"', async (secret) => {
    const top = await mkdtemp(path.join(tmpdir(), 'readme-'));
    onTestFinished(() => rm(top, { recursive: true }));
    await symlink(path.resolve('shared'), path.join(top, 'shared'));
    const port = String(await freePort());
    await writeFile(path.join(top, 'receiver.mts'), fenced('ts receiver').replace('3000', port));
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    // A receiver that starts does not exit.
    const ended = run(process.execPath, ['receiver.mts'], { cwd: top, env, timeout: 10_000 });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TypeError: The secret of a receiver is "whsec_" and'),
    });
  });
});
