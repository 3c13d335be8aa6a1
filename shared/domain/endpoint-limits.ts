import { DAY_MS } from './clock.ts';

/** The most endpoints that a merchant may create in a world: they have the first slots (contract §14). */
export const ENDPOINTS_MAX = 16;
export const ENDPOINT_DESCRIPTION_MAX_CHARS = 200;
export const ENDPOINT_FILTERS_MAX = 50;
/** How long the previous secret may sign beside the new one. */
export const OVERLAP_HOURS_MAX = 168;
export const OVERLAP_HOURS_DEFAULT = 24;
/** How long an endpoint may fail before it is disabled, on the merchant's clock. */
export const FAILING_MAX_MS = 5 * DAY_MS;
/** How long an endpoint has to respond to a ping: the merchant's request waits for it. */
export const PING_SECONDS = 5;
/** How far back events can be recovered. */
export const RECOVERABLE_MS = 30 * DAY_MS;
/** The filter that lets every event through. */
export const ALL_EVENTS = '*';
