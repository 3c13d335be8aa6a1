import { describe, expect, it } from 'vitest';
import { html } from '../../shared/pages/html.ts';

describe('HTML', () => {
  it('escapes every inserted text, but no HTML', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(html`<p title="${'"><script>'}">${inner}${"it's & <that>"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;"><b>&lt;i&gt;</b>it\'s &amp; &lt;that&gt;</p>',
    );
  });

  it('omits null and false, keeps numbers, and joins lists', () => {
    expect(html`${null}${false}${0}${['a', html`<br>`, '<']}`.text).toBe('0a<br>&lt;');
  });
});
