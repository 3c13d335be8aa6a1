import { loadWithProcessMaps } from './process-map.ts';
import type { Omissions, Told } from './story.ts';

/*
 * A process that tells stories: its parent sends seeds, one at a time. Nothing in it is real but the messages.
 */

export interface Order {
  readonly seed: number;
  readonly omissions: Omissions;
  /** The shortest story that breaks the same law, in place of the whole one. */
  readonly isShrunk: boolean;
}

export interface Shortest {
  readonly omissions: Omissions;
  readonly told: Told;
}

/** Before anything of the service is loaded, which reads them. A plain object, which is read faster than the real one. */
process.env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: 'none',
  AWS_REGION: 'local',
  AWS_SECRET_ACCESS_KEY: 'none',
  BUS_NAME: 'simulated',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  POWERTOOLS_METRICS_DISABLED: 'true',
  PROVIDER_SECRETS_FOLDER: 'simulated',
  PUBLIC_BASE_URL: 'http://service.example',
  TABLE_NAME: 'simulated',
};

const { shrink, simulate } = await loadWithProcessMaps(async () => {
  const simulation = await import('./simulate.ts');
  await simulation.prepareSimulation();
  return simulation;
});

// What a frozen process is warned of when it goes on is no news.
console.warn = () => undefined;

process.on('message', async ({ seed, omissions, isShrunk }: Order) => {
  const told = await simulate(seed, omissions);
  const answer: Shortest = isShrunk ? await shrink(seed, omissions, told) : { omissions, told };
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
