import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, type EmbeddedStore, startStore } from '../../../infra/local/store.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { type Host, startHost } from '../../support/world/host.ts';
import type { Dice } from './dice.ts';
import { type SinkProxy, startSinkProxy } from './sink-proxy.ts';

const TABLE_NAME = 'chaos';
const HOST_NAMES = ['one', 'two'] as const;
/** Below the range of ephemeral ports: no other program gets one while its owner is dead. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const START_AGAIN_MS = 200;
const NOBODY_UP_MS = 50;
const STORE_AWAY = 'the store did not answer';
const FORWARD_TIMEOUT_MS = 14_000;

type Span = readonly [leastMs: number, mostMs: number];

/** Longer than every lease of a job runner, so that another one takes over before the first one knows. */
const LONG_PAUSE: Span = [9_000, 13_000];

/** What happens to a host, and for how long. */
export interface HostPlan {
  readonly up: Span;
  readonly down: Span;
  readonly shortPause: Span;
  readonly longPause: Span;
  /** The share of kills in its faults; the others are pauses. */
  readonly kills: number;
  /** The share of long ones in its pauses. */
  readonly longPauses: number;
}

/** The faults of hosts and of the store. */
export interface Plan {
  /** Null if hosts are left alone. */
  readonly ofHosts: HostPlan | null;
  /** Null if the store is left alone. */
  readonly ofStore: { readonly up: Span; readonly down: Span } | null;
}

export const CHAOS: Plan = {
  ofHosts: {
    up: [2_500, 8_000],
    down: [100, 2_000],
    shortPause: [200, 3_000],
    longPause: LONG_PAUSE,
    kills: 0.5,
    longPauses: 0.4,
  },
  ofStore: { up: [12_000, 24_000], down: [50, 2_000] },
};

/** Which faults there were, and when. */
export interface Fault {
  readonly what: 'kill of a host' | 'pause of a host' | 'kill of the store';
  readonly fromMs: number;
  /** When everything of it was up again. */
  readonly toMs: number;
}

interface HostSlot {
  readonly name: string;
  readonly dir: string;
  readonly port: number;
  host: Host | null;
  isUp: boolean;
}

/** Hosts of the whole service on one store, all of which can be killed, and a front before them. */
export class Machines {
  readonly faults: Fault[] = [];
  #front: SinkProxy | null = null;
  readonly #dir: string;
  readonly #slots: readonly HostSlot[];
  #store: EmbeddedStore | null = null;
  readonly #pauses = new Set<ChildProcess>();
  readonly #outputs: string[] = [];
  #breaking: Promise<unknown> = Promise.resolve();
  readonly #ending = new AbortController();

  private constructor(hosts: number, dir: string, ports: readonly number[]) {
    this.#dir = dir;
    this.#slots = HOST_NAMES.slice(0, hosts).map((name, index) => ({
      name,
      dir: path.join(dir, name),
      port: Number(ports[index]),
      host: null,
      isUp: false,
    }));
  }

  static async start(hosts: number = HOST_NAMES.length): Promise<Machines> {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-chaos-'));
    const machines = new Machines(hosts, dir, [await steadyPort(), await steadyPort()]);
    try {
      machines.#front = await startSinkProxy((address, init) => machines.send(address, init));
      await machines.#startStore();
      await createTable(machines.#endpoint, TABLE_NAME);
      await Promise.all(machines.#slots.map((slot) => machines.#startHost(slot)));
    } catch (error) {
      await machines.stop();
      throw error;
    }
    return machines;
  }

  get front(): SinkProxy {
    if (this.#front === null) {
      throw new Error('the front is not there yet');
    }
    return this.#front;
  }

  /** The folder of a host, by which commands find the service. */
  get serviceDir(): string {
    return String(this.#slots[0]?.dir);
  }

  /** The addresses of the hosts, whatever state they are in. */
  get addresses(): readonly string[] {
    return this.#slots.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  /** The errors that all hosts have logged, killed ones included, except those about the missing store. */
  get complaints(): string {
    const printed = [...this.#outputs, ...this.#slots.map(({ host }) => host?.output() ?? '')];
    const lines = printed.join('\n').split('\n');
    return lines.filter((line) => line.startsWith('{') && !line.includes(STORE_AWAY)).join('\n');
  }

  /**
   * Sends a request to any host that is up, as a load balancer with health checks would.
   * @throws Error if there is no response: the host is dead, or sleeps for too long
   */
  async send(address: string, init: RequestInit): Promise<Response> {
    const up = this.#slots.filter(({ isUp }) => isUp);
    const slot = up[Math.floor(Math.random() * up.length)];
    if (slot === undefined) {
      await sleep(NOBODY_UP_MS);
      throw new Error('no host is up');
    }
    const { pathname, search } = new URL(address, this.front.url);
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    return fetch(`http://127.0.0.1:${slot.port}${pathname}${search}`, {
      ...init,
      signal,
      redirect: 'manual',
    });
  }

  /** Causes the faults of a plan now and then, until that time; then all is up again. */
  async breakUntil(endsAtMs: number, diceOf: (use: string) => Dice, plan: Plan = CHAOS): Promise<void> {
    const { ofHosts, ofStore } = plan;
    this.#breaking = Promise.all([
      ...this.#slots.map(
        (it) => ofHosts && this.#breakHost(it, ofHosts, endsAtMs, diceOf(`host ${it.name}`)),
      ),
      ofStore && this.#breakStore(ofStore, endsAtMs, diceOf('store')),
    ]);
    await this.#breaking;
  }

  /** Ends everything at once, whatever state it is in, and removes its files. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const pause of this.#pauses) {
      if (pause.pid !== undefined && pause.exitCode === null) {
        process.kill(-pause.pid, 'SIGKILL');
      }
    }
    await Promise.all(this.#slots.map((slot) => this.#killHost(slot)));
    await this.#breaking.catch(() => undefined);
    // Processes that were starting meanwhile.
    await Promise.all(this.#slots.map((slot) => this.#killHost(slot)));
    await this.#store?.kill();
    this.#front?.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #breakHost(slot: HostSlot, plan: HostPlan, endsAtMs: number, dice: Dice): Promise<void> {
    for (;;) {
      const upMs = dice.between(...plan.up);
      const isKill = dice.isHit(plan.kills);
      const pause = dice.isHit(plan.longPauses) ? plan.longPause : plan.shortPause;
      const forMs = isKill ? dice.between(...plan.down) : dice.between(...pause);
      if (Date.now() + upMs + (isKill ? 0 : forMs) > endsAtMs) {
        return;
      }
      await this.#pass(upMs);
      if (this.#isEnding) {
        return;
      }
      const fromMs = Date.now();
      slot.isUp = false;
      if (isKill) {
        await this.#killHost(slot);
        await this.#pass(forMs);
        await this.#startHost(slot);
      } else {
        await this.#pauseHost(slot, forMs);
      }
      this.faults.push({ what: isKill ? 'kill of a host' : 'pause of a host', fromMs, toMs: Date.now() });
    }
  }

  async #breakStore(plan: { up: Span; down: Span }, endsAtMs: number, dice: Dice): Promise<void> {
    for (;;) {
      const upMs = dice.between(...plan.up);
      const downMs = dice.between(...plan.down);
      if (Date.now() + upMs > endsAtMs) {
        return;
      }
      await this.#pass(upMs);
      if (this.#isEnding) {
        return;
      }
      const fromMs = Date.now();
      await this.#store?.kill();
      await this.#pass(downMs);
      await this.#startStore();
      this.faults.push({ what: 'kill of the store', fromMs, toMs: Date.now() });
    }
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Time that goes by, unless the end comes first. */
  async #pass(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  async #startStore(): Promise<void> {
    const file = path.join(this.#dir, 'payments.db');
    // On the same port, by which the hosts know it.
    const endpoint = this.#store?.endpoint;
    this.#store = await this.#until(() => startStore(file, endpoint));
  }

  get #endpoint(): string {
    return String(this.#store?.endpoint);
  }

  async #startHost(slot: HostSlot): Promise<void> {
    await mkdir(slot.dir, { recursive: true });
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: this.#endpoint,
      TABLE_NAME,
      PORT: String(slot.port),
      [VARIABLES.baseUrl]: this.front.url,
    };
    slot.host = await this.#until(() => startHost({ dir: slot.dir, env }));
    slot.isUp = slot.host !== null;
  }

  /** Processes that end because the store is unavailable are restarted, as by any supervisor. */
  async #until<Started>(start: () => Promise<Started>): Promise<Started | null> {
    while (!this.#isEnding) {
      try {
        return await start();
      } catch (error) {
        this.#outputs.push(String(error));
        await this.#pass(START_AGAIN_MS);
      }
    }
    return null;
  }

  async #killHost(slot: HostSlot): Promise<void> {
    const { host } = slot;
    slot.isUp = false;
    if (host !== null && host.process.exitCode === null && host.process.signalCode === null) {
      host.process.kill('SIGKILL');
      await once(host.process, 'exit');
      this.#outputs.push(host.output());
    }
  }

  /** A shell wakes it again, so that no host sleeps for ever if this process is killed meanwhile. */
  async #pauseHost(slot: HostSlot, forMs: number): Promise<void> {
    const args = [String(slot.host?.process.pid), String(forMs / 1_000)];
    const pause = spawn('sh', ['-c', 'kill -STOP "$0"; sleep "$1"; kill -CONT "$0"', ...args], {
      stdio: 'ignore',
      detached: true,
    });
    this.#pauses.add(pause);
    await once(pause, 'exit');
    this.#pauses.delete(pause);
    slot.isUp = !this.#isEnding;
  }
}

async function steadyPort(): Promise<number> {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      probe.close();
      await once(probe, 'close');
      return port;
    }
  }
}
