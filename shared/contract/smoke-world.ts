import { worldIdOf } from '../domain/world.ts';

/** The merchant of smoke payments. No other has this name, since theirs begin with a letter or a digit. */
export const SMOKE_MERCHANT = '_smoke';
/** Its only world, of test mode. */
export const SMOKE_WORLD_ID = worldIdOf(SMOKE_MERCHANT, 'test');
