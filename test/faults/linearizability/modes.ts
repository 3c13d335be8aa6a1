import type { HostPlan, Plan } from '../chaos/machines.ts';

/** The faults while a recording is made. */
export type Mode = 'quiet' | 'killhost' | 'killengine' | 'stophost' | 'twohosts';

const OF_HOSTS: HostPlan = {
  up: [1_000, 3_500],
  down: [0, 500],
  shortPause: [200, 2_500],
  // Longer than every lease, and than a client waits for a response.
  longPause: [9_000, 13_000],
  kills: 0,
  longPauses: 0.3,
};

/** How long a client waits for one response. If no host sleeps, each request gets one or its connection breaks. */
const PATIENT_MS = 60_000;
const IMPATIENT_MS = 5_000;

interface Breaking {
  readonly hosts: 1 | 2;
  readonly plan: Plan;
  readonly timeoutMs: number;
}

export const MODES: Readonly<Record<Mode, Breaking>> = {
  quiet: { hosts: 1, plan: { ofHosts: null, ofStore: null }, timeoutMs: PATIENT_MS },
  killhost: {
    hosts: 1,
    plan: { ofHosts: { ...OF_HOSTS, kills: 1 }, ofStore: null },
    timeoutMs: PATIENT_MS,
  },
  killengine: {
    hosts: 1,
    plan: { ofHosts: null, ofStore: { up: [1_500, 5_500], down: [0, 500] } },
    timeoutMs: PATIENT_MS,
  },
  stophost: { hosts: 1, plan: { ofHosts: OF_HOSTS, ofStore: null }, timeoutMs: IMPATIENT_MS },
  twohosts: {
    hosts: 2,
    plan: { ofHosts: { ...OF_HOSTS, kills: 0.4 }, ofStore: { up: [8_000, 20_000], down: [0, 800] } },
    timeoutMs: IMPATIENT_MS,
  },
};
