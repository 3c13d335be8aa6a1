/// <reference lib="dom" />
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { currentRoute } from '../call/use-route.ts';

/** Where the style puts the drawer over the page (`frame.css`). */
const PHONE = '(max-width: 50rem)';

/**
 * The drawer of the test world: the address says whether it is open, and at which sink. It stays open from route to
 * route, but on a phone, where it is a sheet over the page. It is no step of the history.
 */
export function useWorldDrawer({ query: { world } }: DashboardRoute) {
  const held = useRef<string | undefined>(undefined);
  const replace = (value: string) => {
    const { path, query } = currentRoute();
    location.replace(addressOf(path, { ...query, world: value }));
  };
  useEffect(() => {
    if (world !== undefined) {
      held.current = world;
    } else if (held.current !== undefined) {
      if (matchMedia(PHONE).matches) {
        held.current = undefined;
      } else {
        replace(held.current);
      }
    }
  });
  return {
    shown: world,
    /** Until the next address that names it. */
    letGo: () => {
      held.current = undefined;
    },
    turn: (isOpen: boolean) => {
      held.current = undefined;
      replace(isOpen ? 'open' : '');
    },
  };
}
