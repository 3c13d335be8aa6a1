import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/tools/run-command.ts';

describe('.ci/beside', () => {
  test('runs both commands, and prints what the second printed at the end', async () => {
    const { stdout } = await runCommand('.ci/beside', ['sleep 0.1; echo first', 'echo second']);
    expect(stdout).toBe('first\nsecond\n');
  });

  test.each([
    ['the first', 'exit 3', 'echo second'],
    ['the second', 'echo first', 'echo second; exit 4'],
  ])('fails when %s fails', async (_which, first, second) => {
    await expect(runCommand('.ci/beside', [first, second])).rejects.toThrow();
  });
});
