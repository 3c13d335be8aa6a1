import { describe, expect, it } from 'vitest';
import { html } from '../../shared/pages/html.ts';

describe('HTML', () => {
  it('takes nothing that is put into it for HTML, but what is HTML already', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(html`<p title="${'"><script>'}">${inner}${"it's & <that>"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;"><b>&lt;i&gt;</b>it\'s &amp; &lt;that&gt;</p>',
    );
  });

  it('leaves out what is not there, keeps numbers, and puts lists in whole', () => {
    expect(html`${null}${false}${0}${['a', html`<br>`, '<']}`.text).toBe('0a<br>&lt;');
  });
});
