import { afterEach, expect, test, vi } from 'vitest';
import type { PlacedOperation } from '../../shared/docs/contents.ts';
import { operationsIn } from '../../shared/docs/contents.ts';
import { samplesOf } from '../../shared/docs/samples.ts';
import { documentAt } from '../../shared/docs/service-document.ts';

const document = documentAt('http://127.0.0.1');
const recovery = operationsIn(document).get('recoverEvents') as PlacedOperation;

afterEach(() => vi.useRealTimers());

test('samples ask for events that can still be recovered, in whatever year somebody reads them', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 1, 12) });
  const samples = samplesOf(document, recovery);
  expect(samples).toHaveLength(6);
  for (const { name, code } of samples) {
    expect(code, name).toContain('2031-04-30T00:00:00.000Z');
  }
});
