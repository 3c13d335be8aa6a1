/// <reference lib="dom" />
import { useEffect, useState } from 'preact/hooks';
import { addressOf, type DashboardRoute, parseRoute } from '../../story/route.ts';

/** The route that the address names. */
export function useRoute(): DashboardRoute {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const follow = () => setAddress(currentAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(address);
}

/** The route that the address names now. An action starts from it: the page may not have followed it yet. */
export function currentRoute(): DashboardRoute {
  return parseRoute(location.hash);
}

/** Without what is no route: a key, which only the gate may hold. */
function currentAddress(): string {
  const { path, query } = currentRoute();
  return addressOf(path, query);
}
