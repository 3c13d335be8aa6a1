import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../../support/browser/browser.ts';
import { goTo, heading, openByLink } from '../../support/browser/dashboard.ts';
import { type Client, newMerchant } from '../../support/world/api.ts';
import { createLink, moveClock } from '../../support/world/resources.ts';
import { createEndpoint, startReceiver } from '../../support/world/webhook-endpoints.ts';

const DESK = { viewport: { width: 1_440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const HOSTILE = `<img src=x onerror="document.title='owned'">`;
type Boxes = readonly { readonly x: number; readonly y: number; readonly width: number }[];

/** An event that an endpoint has refused twice and a sink has accepted. */
async function refusedEvent(api: Client, answer: () => number) {
  const receiver = await startReceiver({ answer: () => ({ status: answer(), body: HOSTILE }) });
  await api(operations.createWebhookSink, { body: { name: 'shop' } });
  const endpoint = await createEndpoint(api, { url: receiver.url, events: ['payment_link.*'] });
  const link = await createLink(api);
  await moveClock(api, 1);
  await moveClock(api, 6);
  const query = { resource_id: link.id };
  const id = String((await api(operations.listEvents, { query })).json.data[0]?.id);
  return { id, endpoint, receiver, link };
}

async function openEvent(page: Page, id: string): Promise<void> {
  await goTo(page, `events/${id}`);
  await heading(page, 'payment_link.created');
  await page.locator('.got').nth(1).waitFor();
}

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const panes = async (page: Page): Promise<Boxes> =>
  Promise.all(
    ['Request', 'Response'].map(async (name) => {
      const box = await page.getByRole('region', { name, exact: true }).boundingBox();
      return box ?? { x: 0, y: 0, width: 0 };
    }),
  );

describeInBrowser('the page of an event', ({ newPage }) => {
  test('shows what each receiver said, with the request and the response of an attempt', async () => {
    const { secret, api } = await newMerchant();
    const { id, endpoint, receiver, link } = await refusedEvent(api, () => 500);
    const { page, complaints } = await openByLink(newPage, secret, DESK);
    await openEvent(page, id);
    const own = group(page, receiver.url);
    // The one that has not accepted the event is open.
    await own.getByText(/^Your server answered 500 after \d+ ms: only 2xx accepts an event\.$/).waitFor();
    await own.getByText(/^The next attempt is at/).waitFor();
    expect(await own.getByRole('link', { name: receiver.url }).getAttribute('href')).toBe(
      `#/webhooks/${endpoint.id}`,
    );
    const request = own.getByRole('region', { name: 'Request', exact: true });
    expect(await request.textContent()).toContain(`webhook-id${id}`);
    expect(await request.getByRole('region', { name: 'Body' }).textContent()).toContain(link.id);
    const response = own.getByRole('region', { name: 'Response', exact: true });
    expect(await response.textContent()).toContain('Status500');
    expect(await response.getByRole('region', { name: 'Start of the response' }).textContent()).toBe(HOSTILE);
    expect(await own.getByRole('button', { name: /^Attempt 2 · 500/ }).getAttribute('aria-pressed')).toBe(
      'true',
    );

    // A sink judges the signature.
    const sink = group(page, 'Sink shop');
    await sink.getByRole('button', { name: /^Attempt 1 · 200/ }).click();
    await sink.getByText(/^The sink answered 200 after \d+ ms: the event was accepted\.$/).waitFor();
    await sink.getByText('signature valid').waitFor();
    await expect.poll(() => page.url()).toContain(`#/events/${id}?delivery=dlv_`);
    await page.reload();
    await group(page, 'Sink shop').getByText('signature valid').waitFor();
    expect(await page.title()).not.toBe('owned');
    expect(complaints).toEqual([]);
  });

  test('sends the event again, to one receiver or to all of them', async () => {
    const { secret, api } = await newMerchant();
    let answered = 500;
    const { id, receiver } = await refusedEvent(api, () => answered);
    const { page } = await openByLink(newPage, secret, DESK);
    await openEvent(page, id);
    answered = 200;
    const own = group(page, receiver.url);
    await own.getByRole('button', { name: 'Send again' }).click();
    await page.locator('.report', { hasText: 'The event is sent again.' }).waitFor();
    await own.getByText(/^Your server answered 200 .* accepted\.$/).waitFor();
    await page.getByRole('button', { name: 'Send to all' }).click();
    await page.locator('.report', { hasText: 'The event is sent again to 2 of 2 receivers.' }).waitFor();
    await expect.poll(() => own.getByRole('button', { name: /^Sent again · 200/ }).count()).toBe(2);
    await group(page, 'Sink shop')
      .getByRole('button', { name: /^Sent again · 200/ })
      .waitFor();
    expect(new Set(receiver.ids())).toEqual(new Set([id]));
  });

  test('is reached from the list, which counts who accepted the event and who did not', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await refusedEvent(api, () => 500);
    const { page } = await openByLink(newPage, secret, DESK);
    await goTo(page, 'events');
    const row = page.locator(`tr[data-id="${id}"]`);
    await row.getByText('1 ✗').waitFor();
    await expect.poll(() => row.textContent()).toContain('1 ✓1 accepted it 1 ✗1 did not');
    await page.locator('th', { hasText: 'Deliveries' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await row.getByRole('link', { name: 'payment_link.created' }).click();
    await heading(page, 'payment_link.created');
  });

  test('says so where nobody received the event', async () => {
    const { secret, api } = await newMerchant();
    const link = await createLink(api);
    const query = { resource_id: link.id };
    await moveClock(api, 1);
    const id = String((await api(operations.listEvents, { query })).json.data[0]?.id);
    const { page } = await openByLink(newPage, secret, DESK);
    await goTo(page, `events/${id}`);
    await page.getByText('Nobody received this event').waitFor();
    expect(await page.getByRole('button', { name: 'Send to all' }).count()).toBe(0);
  });

  test.each([
    ['at a desk', DESK, true],
    ['at 1024 px', { viewport: { width: 1_024, height: 800 } }, true],
    ['on a phone', PHONE, false],
  ])('is for everybody %s', async (_where, options, isBeside) => {
    const { secret, api } = await newMerchant();
    const { id } = await refusedEvent(api, () => 500);
    const { page, complaints } = await openByLink(newPage, secret, options);
    await openEvent(page, id);
    await page.getByRole('region', { name: 'Start of the response' }).waitFor();
    const [request, response] = await panes(page);
    expect(request?.y === response?.y && request?.x !== response?.x).toBe(isBeside);
    const violations = await violationsInBothSchemes(page, async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    });
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
