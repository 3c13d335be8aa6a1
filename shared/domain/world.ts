import { DAY_MS } from './clock.ts';
import type { Connection } from './connection.ts';
import type { PerResource } from './resource.ts';
import { sha256Hex } from './secret.ts';

/** 64 bits in hexadecimal: enough to keep thousands of merchants apart. */
export const WORLD_ID_CHARS = 16;

export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

/** A test world that a merchant has created beside its own (contract §16). */
export interface CreatedWorld {
  /** `wld_…`: how the API names it. */
  readonly id: string;
  readonly name: string;
  /** The id of the world whose key created it. */
  readonly createdBy: string;
  /** The id of that key. */
  readonly createdByKey: string;
  /** Real time, as the end of a world is. */
  readonly createdAtMs: number;
  /** The world ends then: nothing in it is found any more. */
  readonly expiresAtMs: number;
  /** Its slot among the created worlds of its merchant. */
  readonly slot: number;
}

/** One merchant in one mode, or a created test world: the tenant. Everything that a merchant owns lives in one world. */
export interface World {
  readonly id: string;
  readonly merchant: string;
  /** Set for a created test world alone. */
  readonly created?: CreatedWorld;
  /** The merchant's name for payers, where an operator has set one. */
  readonly displayName?: string;
  /** The address of the merchant's logo, where an operator has set one: payers' browsers load it, the service never. */
  readonly logoUrl?: string;
  readonly mode: Mode;
  /** Raised by a purge, which ends the life of everything before. */
  readonly epoch: number;
  /** How far the merchant's clock is ahead of real time, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Raised by each move of the clock. */
  readonly clockVersion: number;
  /**
   * While the jobs of a move of the clock are still to run: until when, on the merchant's clock. What such a job is
   * about to change is not shown before (contract §11).
   */
  readonly movedToMs: number | null;
  /** The provider that moves its money; null in test mode, and without a connection. */
  readonly provider: Connection | null;
  /** How many numbers were assigned for each kind of resource. */
  readonly counts: PerResource<number>;
}

/** How far one request can move a clock, and how far it can be ahead in all (contract §11). */
export const ADVANCE_SECONDS_MAX = 31_622_400;
export const CLOCK_OFFSET_MAX_MS = 2 * 366 * DAY_MS;

/** The instant on the merchant's clock (contract §11: real time plus offset). */
export function worldNow(world: World, realNowMs: number): number {
  return realNowMs + world.clockOffsetMs;
}

/** Whether a live world is connected to a provider's test mode, where no real money moves (contract §15). */
export function isRehearsal({ mode, provider }: Pick<World, 'mode' | 'provider'>): boolean {
  return mode === 'live' && provider?.isTest === true;
}

/** The merchant's name as payers read it. */
export function payeeOf({ merchant, displayName }: Pick<World, 'merchant' | 'displayName'>): string {
  return displayName ?? merchant;
}

/**
 * The id of one of a merchant's own two worlds, a hash of merchant and mode: the same each time the world is opened.
 * With `createdWorldIdOf`, the only maker of ids of worlds.
 */
export function worldIdOf(merchant: string, mode: Mode): string {
  return sha256Hex(`${merchant}/${mode}`).slice(0, WORLD_ID_CHARS);
}

/** Not hexadecimal, so no world of a merchant's own has an id that begins with it. */
const CREATED = 'w';

/** The id of a created world. @param id `wld_…` */
export function createdWorldIdOf(id: string): string {
  return CREATED + sha256Hex(id).slice(CREATED.length, WORLD_ID_CHARS);
}

/** Whether a world was created: its items lie apart from those of merchants' own worlds. */
export function isCreatedWorldId(worldId: string): boolean {
  return worldId.startsWith(CREATED);
}

/** The id by which the API names a world. */
export function shownWorldId({ id, created }: Pick<World, 'id' | 'created'>): string {
  return created?.id ?? id;
}

/** Whether a created world has ended. A merchant's own worlds never end. */
export function hasEnded({ created }: Pick<World, 'created'>, realNowMs: number): boolean {
  return created !== undefined && created.expiresAtMs <= realNowMs;
}
