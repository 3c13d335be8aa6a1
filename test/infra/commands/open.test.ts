import { expect, test } from 'vitest';
import { dashboardAddress } from '../../../infra/commands/open.ts';

const BASE = 'http://127.0.0.1:4010';

test.each([
  ['pay_01h455vb4pex5vsknk084sn02q', '/payments/pay_01h455vb4pex5vsknk084sn02q'],
  ['snk_01h455vb4pex5vsknk084sn02q', '/?world=snk_01h455vb4pex5vsknk084sn02q'],
])('the dashboard opens at the page of %s, that of the local service connected', (id, route) => {
  expect(dashboardAddress(BASE, id, null)).toBe(`${BASE}/console#${route}`);
  expect(dashboardAddress(BASE, id, 'pg_test_1')).toBe(`${BASE}/console#key=pg_test_1${route}`);
});

test('without an id, the dashboard of the local service alone opens connected', () => {
  expect(dashboardAddress(BASE, undefined, 'pg_test_1')).toBe(`${BASE}/console#key=pg_test_1`);
  expect(dashboardAddress(BASE, undefined, null)).toBe(`${BASE}/console`);
});

test('an id of nothing that the dashboard shows is refused', () => {
  expect(() => dashboardAddress(BASE, 'sim_1', null)).toThrow(/^open takes an id/);
});
