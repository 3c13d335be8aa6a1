import { currentProcess } from './simulated-time.ts';

const RealMap = Map;

/**
 * A map that a module keeps for the life of its process: each simulated process has its own, which begins as it was when
 * the module was loaded.
 */
export class ProcessMap<Key, Value> extends RealMap<Key, Value> {
  readonly #own = new WeakMap<object, Map<Key, Value>>();

  constructor(entries?: Iterable<readonly [Key, Value]> | null) {
    super();
    for (const [key, value] of entries ?? []) {
      super.set(key, value);
    }
  }

  /** The map of the current process, once it has changed something. */
  get #changed(): Map<Key, Value> | undefined {
    const memory = currentProcess()?.memory;
    return memory && this.#own.get(memory);
  }

  /** The map of the current process, for a change. */
  #change(): Map<Key, Value> | null {
    const memory = currentProcess()?.memory;
    if (memory === undefined) {
      return null;
    }
    const own = this.#own.get(memory) ?? new RealMap(super.entries());
    this.#own.set(memory, own);
    return own;
  }

  override get size(): number {
    return this.#changed?.size ?? super.size;
  }

  override get(key: Key): Value | undefined {
    const own = this.#changed;
    return own === undefined ? super.get(key) : own.get(key);
  }

  override has(key: Key): boolean {
    return this.#changed?.has(key) ?? super.has(key);
  }

  override set(key: Key, value: Value): this {
    const own = this.#change();
    own === null ? super.set(key, value) : own.set(key, value);
    return this;
  }

  override delete(key: Key): boolean {
    return this.#change()?.delete(key) ?? super.delete(key);
  }

  override clear(): void {
    const own = this.#change();
    own === null ? super.clear() : own.clear();
  }

  override entries(): MapIterator<[Key, Value]> {
    return this.#changed?.entries() ?? super.entries();
  }

  override keys(): MapIterator<Key> {
    return this.#changed?.keys() ?? super.keys();
  }

  override values(): MapIterator<Value> {
    return this.#changed?.values() ?? super.values();
  }

  override forEach(act: (value: Value, key: Key, map: Map<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) {
      act(value, key, this);
    }
  }

  override [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }
}

/** Loads modules so that what they keep in maps is kept for each process alone. */
export async function loadWithProcessMaps<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  globalThis.Map = ProcessMap as MapConstructor;
  try {
    return await load();
  } finally {
    globalThis.Map = RealMap;
  }
}
