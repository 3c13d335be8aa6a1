import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';

/** Says when it has been busy, and each time when its memory was collected on demand. */
const PROGRAM = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { collectWhenIdle } from './infra/local/collect-when-idle.ts';
  const isForced = ({ detail }) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
  new PerformanceObserver((list) => list.getEntries().filter(isForced).forEach(() => console.log('collected')))
    .observe({ entryTypes: ['gc'] });
  collectWhenIdle();
  setInterval(() => undefined, 1_000);
  for (const endAt = performance.now() + 1_000; performance.now() < endAt; ) {}
  console.log('was busy');
`;

test('memory is collected once when a thread rests after it was busy', { tags: 'slow' }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.on('data', (text) => {
    said += String(text);
  });
  await expect.poll(() => said).toBe('was busy\ncollected\n');
});
