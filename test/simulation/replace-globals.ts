import crypto from 'node:crypto';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers/promises';
import zlib from 'node:zlib';
import type { SeededRandom } from './seeded-random.ts';
import { currentProcess, type SimulatedTime } from './simulated-time.ts';

/*
 * Time, chance and sockets, for the code of the service: it takes them from Node, and here from the simulated world.
 * Once replaced they stay so: a process that simulates does nothing else.
 */

export interface World {
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
}

let world: World | null = null;

/** The world that simulates now. */
export function enterWorld(next: World): void {
  world = next;
}

function current(): World {
  if (world === null) {
    throw new Error('no world is simulated');
  }
  return world;
}

function nowMs(): number {
  return current().time.nowMs + (currentProcess()?.skewMs ?? 0);
}

function forbidden(what: string): () => never {
  return () => {
    throw new Error(`the simulated world has no ${what}`);
  };
}

const RealDate = Date;

class SimulatedDate extends RealDate {
  constructor(...given: number[]) {
    super(...((given.length === 0 ? [nowMs()] : given) as [number]));
  }

  static override now(): number {
    return nowMs();
  }
}

/** A timer as Node's: it can be let go of, and be shown as a number. */
class SimulatedTimer {
  readonly cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => false;
  refresh = () => this;
  [Symbol.dispose] = () => this.cancel();
}

function setTimer(act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): SimulatedTimer {
  const { cancel } = current().time.after(ms, () => act(...given));
  return new SimulatedTimer(cancel);
}

function setRepeatedTimer(act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): SimulatedTimer {
  const { time } = current();
  let isOver = false;
  let cancel: () => void;
  const again = () => {
    ({ cancel } = time.after(ms, () => {
      if (!isOver) {
        act(...given);
        again();
      }
    }));
  };
  again();
  return new SimulatedTimer(() => {
    isOver = true;
    cancel();
  });
}

function endTimer(timer: SimulatedTimer | undefined): void {
  timer?.cancel?.();
}

/** Replaces what the code takes from Node. Call it once, when everything is loaded. */
export function replaceGlobals(): void {
  globalThis.Date = SimulatedDate as DateConstructor;
  Math.random = () => current().random.fraction();
  performance.now = () => current().time.nowMs;
  process.hrtime = Object.assign(forbidden('hrtime'), {
    bigint: () => BigInt(current().time.nowMs) * 1_000_000n,
  }) as unknown as typeof process.hrtime;
  Object.assign(globalThis, {
    setTimeout: setTimer,
    clearTimeout: endTimer,
    setInterval: setRepeatedTimer,
    clearInterval: endTimer,
    fetch: forbidden('network'),
  });
  Object.assign(timers, {
    setTimeout: (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        const { cancel } = current().time.after(ms, () => resolve(value));
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason as Error);
        });
      }),
  });
  const fill = <Bytes extends Uint8Array>(bytes: Bytes) => current().random.fill(bytes);
  const randomBytes = (size: number) => fill(Buffer.alloc(size));
  const randomUUID = () => {
    const bytes = randomBytes(16);
    bytes[6] = (Number(bytes[6]) & 0x0f) | 0x40;
    bytes[8] = (Number(bytes[8]) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  const randomInt = (from: number, to?: number) =>
    to === undefined ? current().random.below(from) : from + current().random.below(to - from);
  Object.assign(crypto, { randomBytes, randomUUID, randomInt, randomFillSync: fill });
  Object.assign(Object.getPrototypeOf(globalThis.crypto), { getRandomValues: fill, randomUUID });
  net.Socket.prototype.connect = forbidden('sockets') as typeof net.Socket.prototype.connect;
  Object.assign(dns, { lookup: forbidden('names') });
  // Other versions of zlib pack into other bytes, which a digest would tell apart.
  Object.assign(zlib, {
    deflateRawSync: (text: string) => Buffer.from(text),
    inflateRawSync: (bytes: Uint8Array) => Buffer.from(bytes),
  });
  // Most errors are refusals, and no story tells where they were made.
  Error.stackTraceLimit = 0;
  syncBuiltinESMExports();
}
