import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SqliteShopOptions, startShop } from '../shops/sqlite-shop.ts';
import type { WrongShop } from './wrong-shops.ts';

const SHOPS = path.resolve(import.meta.dirname, '../shops');
const IMPORT = /from '(\.[^']+)'/g;

/**
 * Starts a wrong shop: the text of the right one with its changes, loaded from a folder that is deleted at once.
 * @throws Error if a change is not of one place in the text
 */
export async function startWrongShop({ name, of, changes }: WrongShop, options: SqliteShopOptions) {
  const right = await readFile(path.join(SHOPS, of ?? 'node-shop.ts'), 'utf8');
  const wrong = changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) {
      throw new Error(`${name}: the text of the right shop has not once: ${from}`);
    }
    return text.replace(from, () => to);
  }, right);
  const text = wrong.replaceAll(IMPORT, (_, file) => `from '${pathToFileURL(path.resolve(SHOPS, file))}'`);
  const dir = await mkdtemp(path.join(tmpdir(), 'wrong-shop-'));
  try {
    const file = path.join(dir, `${name}.ts`);
    await writeFile(file, text);
    const module = (await import(pathToFileURL(file).href)) as { startShop: typeof startShop };
    return await module.startShop(options);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
