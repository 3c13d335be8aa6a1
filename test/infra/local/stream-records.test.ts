import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openStreamRecords } from '../../../infra/local/stream-records.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Opens the records of an engine that has two: how many are left is its result. */
async function leftBy(version: string): Promise<number> {
  const dir = await mkdtemp(path.join(tmpdir(), 'records-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ version }));
  const file = path.join(dir, 'payments.db');
  const data = new DatabaseSync(file);
  data.exec(`
    CREATE TABLE _stream_records (id INTEGER PRIMARY KEY, table_name TEXT, sequence_number TEXT);
    INSERT INTO _stream_records (table_name, sequence_number) VALUES ('t', '1'), ('t', '2');
  `);
  openStreamRecords(path.join(dir, 'dynoxide'), file)?.close();
  const left = data.prepare('SELECT COUNT(*) AS count FROM _stream_records').get();
  data.close();
  return Number(left?.count);
}

test('the records of a known version of the engine are deleted, but for the last', async () => {
  expect(await leftBy('1.2.1')).toBe(1);
});

test('the file of any other version is not changed, and a line says so', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  expect(await leftBy('1.3.0')).toBe(2);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'dynoxide 1.3.0 keeps all records of its streams: deleting them was tried with 1.2.1 alone.',
  );
});

test('the file is not changed if the environment says so', async () => {
  vi.stubEnv('KEEP_STREAM_RECORDS', '1');
  expect(await leftBy('1.2.1')).toBe(2);
});
