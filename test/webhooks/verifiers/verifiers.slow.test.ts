import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { beforeAll, describe, expect, test } from 'vitest';
import { newSigningSecret } from '../../../shared/domain/secret.ts';
import { type KnownWebhook, type SentWebhook, sentWebhooks } from './sent-webhooks.ts';
import { PYTHON_RELEASE, verifyByPython } from './verify-by-python.ts';

/** Which of these webhooks a library accepts. */
type Verify = (webhooks: readonly SentWebhook[]) => boolean[] | Promise<boolean[]>;

function verifyBy(Library: typeof Webhook | typeof SvixWebhook): Verify {
  return (webhooks) =>
    webhooks.map(({ secret, body, headers }) => {
      try {
        new Library(secret).verify(body, headers);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(WebhookVerificationError);
        return false;
      }
    });
}

let sent: KnownWebhook[];

beforeAll(async () => {
  sent = await sentWebhooks();
});

/** Changes each byte of a text in turn. */
function changesOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [...bytes.keys()].map((index) => {
    const changed = Buffer.from(bytes);
    changed[index] = (bytes[index] ?? 0) ^ 1;
    return changed.toString();
  });
}

function headerChangesOf(headers: SentWebhook['headers'], name: string) {
  return changesOf(String(headers[name])).map((changed) => ({ ...headers, [name]: changed }));
}

test('one webhook of each kind that the service sends is there to verify', () => {
  expect(sent.map(({ what }) => what)).toHaveLength(13);
  for (const { headers, secrets } of sent) {
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(secrets.length);
  }
  expect(sent.map(({ headers }) => headers['webhook-attempt'])).toEqual([
    ...['1', '2', '2', '1', '1', '1', '1', '1'],
    ...['1', '2', '1'],
    ...['1', '2'],
  ]);
});

describe.each<[string, Verify]>([
  ['standardwebhooks of npm', verifyBy(Webhook)],
  ['svix of npm', verifyBy(SvixWebhook)],
  [`${PYTHON_RELEASE} of PyPI`, verifyByPython],
])('%s', (_library, verify) => {
  test('accepts every webhook, by each secret that signs it', async () => {
    const bySecret = sent.flatMap(({ secrets, ...one }) => secrets.map((secret) => ({ ...one, secret })));
    const verdicts = await verify(bySecret);
    expect(bySecret.filter((_one, nth) => !verdicts[nth]).map(({ what }) => what)).toEqual([]);
    expect(verdicts).toHaveLength(16);
  });

  test('refuses each with any byte of its body, its id or its timestamp changed', async ({ task }) => {
    const changed = sent.flatMap(({ body, headers, secrets }) =>
      secrets.flatMap((secret) => [
        ...changesOf(body).map((text) => ({ body: text, headers, secret })),
        ...headerChangesOf(headers, 'webhook-id').map((others) => ({ body, headers: others, secret })),
        ...headerChangesOf(headers, 'webhook-timestamp').map((others) => ({ body, headers: others, secret })),
      ]),
    );
    const verdicts = await verify(changed);
    expect(verdicts).toHaveLength(changed.length);
    expect(verdicts.filter((isTaken) => isTaken)).toEqual([]);
    task.meta.figures = { [`webhooks with a changed byte, refused by ${_library}`]: changed.length };
  });

  test("refuses each by a secret that has ended, or by another endpoint's", async () => {
    const other = newSigningSecret();
    const byOthers = sent.flatMap(({ ended, ...one }) =>
      [other, ...ended].map((secret) => ({ ...one, secret })),
    );
    const verdicts = await verify(byOthers);
    expect(byOthers.filter((_one, nth) => verdicts[nth]).map(({ what }) => what)).toEqual([]);
    expect(verdicts).toHaveLength(13 + 4);
  });
});
