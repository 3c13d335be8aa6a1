import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import { promptPayPayload, TEST_BILLER_ID } from '../../shared/providers/simulated/promptpay.ts';

const PAYMENT_ID = newId('pay', Date.UTC(2026, 10, 2));

/** EMVCo QR, section 3: two digits of id, two of length, as many characters of value. Refuses other text. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const [, id = '', chars = ''] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    const value = rest.slice(4, 4 + Number(chars));
    if (id === '' || value.length !== Number(chars) || fields.has(id)) {
      throw new Error(`not a sequence of fields: ${rest}`);
    }
    fields.set(id, value);
    rest = rest.slice(4 + value.length);
  }
  return fields;
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, no reflection, no final XOR. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const AMOUNTS = [
  [1, '0.01'],
  [29, '0.29'],
  [100, '1.00'],
  [1_010, '10.10'],
  [10_010, '100.10'],
  [129_900, '1299.00'],
  [999_999_999_999, '9999999999.99'],
] as const;

describe('the checksum of this test', () => {
  it('has the published check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
  });
});

describe.each(AMOUNTS)('the PromptPay payload of %i satang', (minor, baht) => {
  const payload = promptPayPayload(TEST_BILLER_ID, minor, PAYMENT_ID);
  const fields = readFields(payload);

  it(`requests exactly ${baht} baht in Thailand`, () => {
    expect(fields.get('53')).toBe('764');
    expect(fields.get('54')).toBe(baht);
    expect(fields.get('58')).toBe('TH');
  });

  it('is of version 01, for one payment, and begins with that', () => {
    expect(payload.startsWith('000201')).toBe(true);
    expect(fields.get('01')).toBe('12');
  });

  it("is a bill payment to no real biller, with the payment id's tail as its reference", () => {
    const bill = readFields(fields.get('30') ?? '');
    expect(bill.get('00')).toBe('A000000677010112');
    expect(bill.get('01')).toMatch(/^0{15}$/);
    expect(bill.get('02')).toBe(PAYMENT_ID.slice(-20).toUpperCase());
    expect(bill.get('02')).toMatch(/^[0-9A-Z]{1,20}$/);
  });

  it('ends with the checksum of everything before it', () => {
    expect(payload.slice(-8, -4)).toBe('6304');
    expect(payload.slice(-4)).toBe(crc16(payload.slice(0, -4)));
  });
});

describe('a PromptPay payload', () => {
  it('has a reference of its own for every payment', () => {
    const ids = Array.from({ length: 100 }, () => newId('pay', Date.UTC(2026, 10, 2)));
    expect(new Set(ids.map((id) => promptPayPayload(TEST_BILLER_ID, 100, id))).size).toBe(100);
  });

  it('can be paid to a biller that is not the one of test mode', () => {
    const fields = readFields(promptPayPayload('099400016550100', 100, PAYMENT_ID));
    expect(readFields(fields.get('30') ?? '').get('01')).toBe('099400016550100');
  });
});
