/// <reference lib="dom" />
import { useEffect, useState } from 'preact/hooks';
import { addressOf, type PlaceRoute, parseRoute } from './route.ts';

/** The place that the address names. */
export function useRoute(): PlaceRoute {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const follow = () => setAddress(currentAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(address);
}

/** Without what is no place: a key, which only the gate may hold. */
function currentAddress(): string {
  const { path, query } = parseRoute(location.hash);
  return addressOf(path, query);
}

/** Leads to a place. */
export function goTo(path: readonly string[], query?: PlaceRoute['query']): void {
  location.hash = addressOf(path, query);
}
