import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseUrl, newKey } from './merchant.ts';

export const PG = 'infra/pg/pg.ts';

/** The command line with the key of a merchant that no other test has. */
export async function newShell() {
  const { secret } = await newKey();
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret };
  const pg = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PG, ...args], { env });
    return stdout;
  };
  return { pg, pgJson: async (...args: string[]) => JSON.parse(await pg(...args, '--json')), env, secret };
}
