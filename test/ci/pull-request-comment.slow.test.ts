import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { MARK, pullRequestComment } from './pull-request-comment.ts';

const FACTS = {
  commit: '0123456789abcdef',
  baseUrl: 'https://x.example/api',
  verdicts: { 'The contract': 'success', 'All tests': 'failure', 'The rest': 'skipped' },
  released: new Map([['Create a payment', 8]]),
  costs: new Map([['Create a payment', 9]]),
  reasons: new Map<string, number>(),
};

test('a comment has the address, the verdicts, and the cost beside the last release', () => {
  expect(pullRequestComment(FACTS)).toBe(`${MARK}
**01234567** Its stage: https://x.example/api ([dashboard](https://x.example/api/console), [documentation](https://x.example/api/docs))

| Proven | |
|---|---|
| The contract | passed |
| All tests | **failed** |
| The rest | not run |

| $ per million | Last release | This commit | |
|---|---:|---:|---:|
| Create a payment | 8.00 | 9.00 | +12.5 % |

- "Create a payment" costs $9.00 a million, and cost $8.00 in the last release: say why in test/bench/COSTS.md, or cost less
`);
});

test('a comment says where there is no stage, and where nothing was measured', () => {
  const text = pullRequestComment({ ...FACTS, baseUrl: null, costs: null });
  expect(text).toContain('No stage is deployed for it.');
  expect(text).toContain('What it costs was not measured.');
});

/** GitHub's answers, as its documentation has them, to what the script asks. */
async function runScript(pulls: object[], comments: object[]) {
  const asked: { call: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname } = new URL(String(request.url), 'http://github.example');
    asked.push({ call: `${request.method} ${pathname}`, body });
    const answer = pathname.endsWith('/pulls') ? pulls : request.method === 'GET' ? comments : {};
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-comment-'));
  onTestFinished(async () => {
    server.close();
    await rm(dir, { recursive: true });
  });
  const FIGURES = path.join(dir, 'operations.md');
  await writeFile(FIGURES, '| Operation | $ per million |\n|---|---:|\n| Create a payment | 8.38 |\n');
  const { PATH = '', HOME = '' } = process.env;
  await promisify(execFile)(process.execPath, ['test/ci/write-comment.ts'], {
    env: {
      ...{ PATH, HOME, FIGURES, CONTRACT: 'success', TESTS: 'success', BASE_URL: '', GITHUB_TOKEN: 'x' },
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ GITHUB_REPOSITORY: 'shop/payments', GITHUB_REF_NAME: 'feature/x', GITHUB_SHA: '01234567' },
    },
  });
  return asked;
}

test('a pull request gets one comment, which is written anew, and a branch without one gets none', async () => {
  const first = await runScript([{ number: 7 }], [{ id: 1, body: 'of somebody else' }]);
  expect(first.at(-1)).toMatchObject({ call: 'POST /repos/shop/payments/issues/7/comments' });
  expect(JSON.parse(String(first.at(-1)?.body)).body).toContain(`${MARK}\n**01234567** No stage`);
  const again = await runScript([{ number: 7 }], [{ id: 9, body: `${MARK}\nold` }]);
  expect(again.at(-1)).toMatchObject({ call: 'PATCH /repos/shop/payments/issues/comments/9' });
  expect((await runScript([], [])).map(({ call }) => call)).toEqual(['GET /repos/shop/payments/pulls']);
});
