/// <reference lib="dom" />
import { useEffect, useReducer } from 'preact/hooks';
import { useDashboard } from './dashboard-context.ts';

const TICK_MS = 1_000;

/** The time of the merchant's clock, every second. */
export function useNow(): Date {
  const { clock } = useDashboard();
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return clock.now();
}
