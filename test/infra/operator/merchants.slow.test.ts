import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { type AuditEntry, readAudit } from '../../../shared/store/worlds/audit.ts';
import { findWorld } from '../../../shared/store/worlds/world.ts';
import { newMerchant } from '../../support/world/api.ts';
import { newKey, newMerchantName } from '../../support/world/merchant.ts';
import { createLink, createPayment } from '../../support/world/resources.ts';

const run = promisify(execFile);

async function merchants(...args: string[]): Promise<string> {
  const dir = inject('service').dir;
  const { stdout } = await run(process.execPath, [
    'infra/pg/pg.ts',
    'admin',
    'merchants',
    ...args,
    '--dir',
    dir,
  ]);
  return stdout;
}

async function merchantsJson(...args: string[]) {
  return JSON.parse(await merchants(...args, '--json'));
}

async function refusalOf(...args: string[]): Promise<string> {
  return merchants(...args).then(
    (printed) => `done: ${printed}`,
    (error: { stderr: string }) => error.stderr,
  );
}

async function shownOn(...addresses: string[]): Promise<(string | undefined)[]> {
  const pages = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
  return pages.map((page) => /<p class="payee">Pay to <strong>(.*)<\/strong>/.exec(page)?.[1]);
}

describe('pg admin merchants', () => {
  test('sets the name that payers read on every page, in all worlds, until it is cleared', async () => {
    const { api, merchant } = await newMerchant();
    const link = await createLink(api);
    const disabled = await createLink(api);
    await api(operations.disablePaymentLink, { params: { id: disabled.id } });
    const { checkout_url } = await createPayment(api, { checkout: true });
    const pages = [link.url, disabled.url, String(checkout_url)];
    expect(await shownOn(...pages)).toEqual([merchant, merchant, merchant]);

    await newKey({ merchant, mode: 'live' });
    const name = 'Acme & ลูก Co., Ltd.';
    const set = await merchantsJson('set', '--merchant', merchant, '--name', name);
    expect(set).toEqual({ merchant, display_name: name, logo_url: null, modes: ['test', 'live'] });
    expect(await merchantsJson('show', '--merchant', merchant)).toEqual(set);
    expect(await merchantsJson('list')).toContainEqual(set);
    expect(await shownOn(...pages)).toEqual(Array(3).fill('Acme &amp; ลูก Co., Ltd.'));
    expect(await findWorld(worldIdOf(merchant, 'live'))).toMatchObject({ displayName: name });

    await api(operations.purgeTestData);
    expect(await shownOn((await createLink(api)).url)).toEqual(['Acme &amp; ลูก Co., Ltd.']);
    await merchants('clear', '--merchant', merchant);
    expect(await shownOn((await createLink(api)).url)).toEqual([merchant]);
  });

  test('sets it for a world that is opened later too', async () => {
    const { merchant } = await newMerchant();
    await merchants('set', '--merchant', merchant, '--name', 'Acme');
    await newKey({ merchant, mode: 'live' });
    expect(await findWorld(worldIdOf(merchant, 'live'))).toMatchObject({ displayName: 'Acme' });
  });

  test('leaves an audit entry for each world: who set which name, and that it was cleared', async () => {
    const { merchant } = await newMerchant();
    await newKey({ merchant, mode: 'live' });
    await merchants('set', '--merchant', merchant, '--name', 'Acme');
    await merchants('clear', '--merchant', merchant);
    const entries: AuditEntry[] = [];
    for await (const page of readAudit(merchant)) {
      entries.push(...page.filter(({ action }) => action === 'set-name'));
    }
    const by = { actor: `${userInfo().username}@${hostname()}`, merchant, subject: merchant };
    const [cleared, set] = [{ display_name: null }, { display_name: 'Acme' }];
    const shown = entries.map(({ mode, details, actor, subject }) => ({
      actor,
      merchant,
      subject,
      mode,
      details,
    }));
    expect(shown.slice(0, 2)).toEqual(
      expect.arrayContaining([
        { ...by, mode: 'test', details: cleared },
        { ...by, mode: 'live', details: cleared },
      ]),
    );
    expect(shown.slice(2)).toEqual(
      expect.arrayContaining([
        { ...by, mode: 'test', details: set },
        { ...by, mode: 'live', details: set },
      ]),
    );
    expect(shown).toHaveLength(4);
  });

  test('names a logo that pages may show from that address alone, until it is cleared', async () => {
    const { api, merchant } = await newMerchant();
    const link = await createLink(api);
    const { checkout_url } = await createPayment(api, { checkout: true });
    const policies = async () =>
      Promise.all(
        [link.url, String(checkout_url)].map(async (address) => {
          const page = await fetch(address);
          const policy = page.headers.get('content-security-policy') ?? '';
          const logo = /<img class="logo" src="([^"]*)"/.exec(await page.text())?.[1] ?? null;
          return [logo, /img-src ([^;]*)/.exec(policy)?.[1]];
        }),
      );
    expect(await policies()).toEqual(Array(2).fill([null, "'self' data:"]));
    const logo = 'https://cdn.acme.example/a/logo-1.png';
    expect(await merchantsJson('set-logo', '--merchant', merchant, '--url', logo)).toMatchObject({
      display_name: null,
      logo_url: logo,
    });
    expect(await policies()).toEqual(Array(2).fill([logo, `'self' data: ${logo}`]));
    await newKey({ merchant, mode: 'live' });
    expect(await findWorld(worldIdOf(merchant, 'live'))).toMatchObject({ logoUrl: logo });
    await merchants('clear-logo', '--merchant', merchant);
    expect(await policies()).toEqual(Array(2).fill([null, "'self' data:"]));
    const entries: AuditEntry[] = [];
    for await (const page of readAudit(merchant)) {
      entries.push(...page.filter(({ action }) => action === 'set-logo'));
    }
    expect(entries.map(({ mode, details }) => [mode, details.logo_url]).toSorted()).toEqual([
      ['live', null],
      ['test', null],
      ['test', logo],
    ]);
  });

  test.each([
    'http://cdn.example.com/logo.png',
    'https://cdn.example.com',
    'https://cdn.example.com/',
    'https://*.example.com/logo.png',
    'https://localhost/logo.png',
    'https://user:secret@cdn.example.com/logo.png',
    'https://cdn.example.com/logo.png?size=1',
    'https://cdn.example.com/logo.png#a',
    "https://cdn.example.com/logo.png;script-src 'unsafe-inline'",
    'https://cdn.example.com/a,b.png',
    'https://cdn.example.com/a b.png',
    'javascript:alert(1)',
    `https://cdn.example.com/${'a'.repeat(500)}.png`,
  ])('refuses %s as a logo, and changes nothing', async (url) => {
    const { merchant } = await newMerchant();
    expect(await refusalOf('set-logo', '--merchant', merchant, '--url', url)).toMatch(
      /^--url takes an https/,
    );
    expect(await findWorld(worldIdOf(merchant, 'test'))).not.toHaveProperty('logoUrl');
  });

  test('says in a line what is wrong', async () => {
    const { merchant } = await newMerchant();
    const nobody = newMerchantName();
    expect(await refusalOf('set', '--merchant', nobody, '--name', 'X')).toContain(
      `There is no merchant ${nobody}.`,
    );
    expect(await refusalOf('set', '--merchant', merchant)).toMatch(/^Missing option: --name <TEXT>/);
    expect(await refusalOf('show')).toMatch(/^Missing option: --merchant <NAME>/);
    expect(await refusalOf('sett')).toMatch(/Did you mean set\?/);
    expect(await refusalOf('list', '--name', 'X')).toMatch(/^Unknown option '--name'/);
    for (const name of ['', '   ', 'a\u0007b', 'x'.repeat(81)]) {
      expect(await refusalOf('set', '--merchant', merchant, '--name', name)).toMatch(/^--name takes 1 to 80/);
    }
    expect(await merchantsJson('show', '--merchant', merchant)).toMatchObject({ display_name: null });
    expect(await merchants('--help')).toContain('Sets the name that payers see.');
  });
});
