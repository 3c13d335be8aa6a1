import { expect, test } from 'vitest';
import { textsOf } from '../../shared/pages/texts.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { textsIn } from '../support/browser/texts-in.ts';

/** A code point of the Thai block without a letter: a browser draws the box of a missing letter. */
const NO_LETTER = '\u0e7f';

const texts = textsIn(textsOf('th'));

describeInBrowser('the Thai letters of the pages', ({ newPage }) => {
  test('are drawn by a font that has them, each letter as itself', async () => {
    const letters = [...new Set(texts.join('').match(/[ก-ฮ]/g))];
    expect(letters.length).toBeGreaterThan(30);
    const page = await newPage();
    const pictures = await page.evaluate(
      (drawn) => {
        const { document } = globalThis as unknown as { document: { createElement(name: string): Canvas } };
        interface Canvas {
          width: number;
          height: number;
          getContext(kind: '2d'): { font: string; fillText(text: string, x: number, y: number): void };
          toDataURL(): string;
        }
        return drawn.map((letter) => {
          const canvas = document.createElement('canvas');
          Object.assign(canvas, { width: 64, height: 64 });
          const context = canvas.getContext('2d');
          context.font = '40px system-ui, "Noto Sans Thai", "Sukhumvit Set", Thonburi, sans-serif';
          context.fillText(letter, 8, 48);
          return canvas.toDataURL();
        });
      },
      [...letters, NO_LETTER],
    );
    const box = pictures.pop();
    expect(letters.filter((_, place) => pictures[place] === box)).toEqual([]);
    expect(new Set(pictures).size, 'Debian: apt install fonts-thai-tlwg').toBe(letters.length);
  });
});
