import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { sendRaw } from '../support/world/raw-request.ts';

const ORDER = JSON.stringify({ amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay' });

test.each(['gzip', 'br', 'deflate', 'x-gzip', 'identity, gzip'])(
  'a body with Content-Encoding "%s" is refused, whether it is encoded or not',
  { tags: 'slow' },
  async (encoding) => {
    const { api, secret } = await newMerchant();
    const { method, path } = operations.createPayment;
    const lines = [
      ['Authorization', `Bearer ${secret}`],
      ['Idempotency-Key', randomUUID()],
      ['Content-Type', 'application/json'],
      ['Content-Encoding', encoding],
    ] as const;
    for (const body of [ORDER, gzipSync(ORDER)]) {
      const { status, problem } = await sendRaw(`${baseUrl}${path}`, { method, lines, body });
      expect([status, problem?.code]).toEqual([415, 'unsupported_media_type']);
    }
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  },
);
