import { DatabaseSync } from 'node:sqlite';
import { worldIdOf } from '../../shared/domain/world.ts';

const BUSY_MS = 10_000;

/**
 * Copies a merchant's test data for other merchants, in the file of the embedded engine: every key names its world, so
 * a copy is the same rows with another world id and merchant. It takes seconds where requests would take hours.
 */
export function copyMerchant(
  file: string,
  tableName: string,
  merchant: string,
  copies: readonly string[],
): void {
  const data = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    const tables = data
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND (name = ? OR name LIKE ? || '::gsi::%')",
      )
      .all(tableName, tableName)
      .map(({ name }) => String(name));
    const from = worldIdOf(merchant, 'test');
    data.exec('BEGIN IMMEDIATE');
    for (const table of tables) {
      const columns = data.prepare(`SELECT name, type FROM pragma_table_info(?)`).all(table);
      const key = columns.some(({ name }) => name === 'table_pk') ? 'table_pk' : 'pk';
      const names = columns.map(({ name }) => name).join(', ');
      const values = columns.map(({ name, type }) =>
        type === 'TEXT' ? `replace(replace(${name}, ?1, ?2), ?3, ?4)` : name,
      );
      // Found once: a search for every copy would go through the copies before it.
      data.prepare(`CREATE TEMP TABLE own AS SELECT * FROM "${table}" WHERE instr(${key}, ?) > 0`).run(from);
      const copy = data.prepare(
        `INSERT INTO "${table}" (${names}) SELECT ${values.join(', ')} FROM temp.own`,
      );
      for (const other of copies) {
        copy.run(from, worldIdOf(other, 'test'), `"${merchant}"`, `"${other}"`);
      }
      data.exec('DROP TABLE temp.own');
    }
    data.exec('COMMIT');
  } finally {
    data.close();
  }
}
