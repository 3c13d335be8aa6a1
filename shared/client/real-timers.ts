/*
 * The timers and the clock of the runtime, taken when the client is loaded. A test that puts others in their place (vi.useFakeTimers,
 * jest.useFakeTimers) stops the time of its own program, and not that of a service.
 */
const { setTimeout: start, clearTimeout: stop } = globalThis;
const clock = performance.now.bind(performance);
const { now } = Date;

export const startTimer: (act: () => void, ms: number) => ReturnType<typeof setTimeout> = (act, ms) =>
  start(act, ms);
export const stopTimer: (timer: ReturnType<typeof setTimeout> | undefined) => void = (timer) => stop(timer);

/** Milliseconds since some instant. */
export const elapsedMs: () => number = clock;

/** Milliseconds since 1970. */
export const nowMs: () => number = () => now();
