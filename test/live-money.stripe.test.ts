import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { freePort } from './support/tools/free-port.ts';
import { fenced, openTerminal, startCheckout, startReceiver } from './support/tools/readme.ts';

/** The variables that a new terminal takes over from the one before. */
const KEPT = ['STRIPE_API_URL', 'PG_BASE_URL', 'PG_KEY', 'KEY', 'REFUND'];

test.skipIf(inject('stripeMock') === null)(
  "the README's live example works as printed: connected, paid, delivered, refunded",
  async () => {
    const apiUrl = `http://127.0.0.1:${await freePort()}`;
    const here = (kind: string) => fenced(kind).replaceAll('http://127.0.0.1:12111', apiUrl);
    const [standInLine = '', startLine] = here('sh live servers').trim().split('\n');
    expect(startLine).toBe(`STRIPE_API_URL=${apiUrl} npm start`);

    const { top, restart, stop } = await startCheckout({ env: { STRIPE_API_URL: apiUrl } });
    const standIn = openTerminal(standInLine, top);
    const paste = async (kind: string, kept: Readonly<Record<string, string>> = {}) => {
      const pasted = `${fenced('sh preparation')}${Object.entries(kept)
        .map(([name, value]) => `export ${name}='${value}'`)
        .join('\n')}\n${here(kind)}\nfor name in ${KEPT.join(' ')}; do echo "kept $name=\${!name:-}"; done`;
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', pasted], { cwd: top });
      const lines = stdout.trim().split('\n');
      const keptLines = lines.filter((line) => line.startsWith('kept '));
      return {
        printed: lines.filter((line) => !keptLines.includes(line)),
        kept: Object.fromEntries(keptLines.map((line) => line.slice('kept '.length).split('=', 2))),
      };
    };
    try {
      await expect.poll(standIn.printed, { timeout: 400_000 }).toContain(`is running at ${apiUrl}`);
      const { printed, kept } = await paste('sh live payment');
      expect(printed.map(asJson)).toEqual([
        { notifications: expect.stringMatching(/^http:.*\/providers\/stripe\/\w{32}$/) },
        { id: expect.stringMatching(/^pi_/), status: 'succeeded', notification_answered: 200 },
        'succeeded',
      ]);

      const receiver = await startReceiver(top, kept);
      try {
        const forwarded = here('sh live webhooks').replace('3000', receiver.port);
        await promisify(execFile)('bash', ['-euc', forwarded], {
          cwd: top,
          // As the README's first lines set it.
          env: { ...process.env, ...kept, PATH: `${top}:${process.env.PATH}` },
        });
        expect(await receiver.lines(3)).toEqual([
          expect.stringMatching(/^verified payment\.created pay_\w{26}$/),
          expect.stringMatching(/^verified payment\.requires_action pay_\w{26}$/),
          expect.stringMatching(/^verified payment\.succeeded pay_\w{26}$/),
        ]);
      } finally {
        await receiver.close();
      }

      const [again = '', options = ''] = here('sh live ahead').trim().split(' -- ');
      expect(again).toBe(startLine);
      await restart(...options.split(' '));
      const { printed: paidBack } = await paste('sh live refund', kept);
      expect(paidBack.map(asJson)).toEqual([
        { advanced_seconds: 960 },
        { id: expect.stringMatching(/^p?re_/), status: 'succeeded', notification_answered: 200 },
        'succeeded',
      ]);
      expect(await (await fetch(`${apiUrl}/stand-in/faults`)).json()).toEqual({ faults: [] });
    } finally {
      await standIn.close();
      await stop();
    }
  },
  500_000,
);

function asJson(line: string): unknown {
  return line.startsWith('{') ? JSON.parse(line) : line;
}
