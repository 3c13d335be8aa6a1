import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import type { BenchMemory } from './bench-memory.ts';
import type { Calls } from './calls.ts';
import type { OpenDialog } from './dialog-host.tsx';
import type { Gate } from './gate.ts';
import type { KnownIds } from './known-ids.ts';
import type { MerchantClock } from './merchant-clock.ts';
import type { Reads } from './reads.ts';

/** What the parts of the dashboard share. */
export interface Dashboard {
  /** The base path of the service. */
  readonly root: string;
  /** The operations of this service: enough to call them. */
  readonly operations: readonly ConsoleOperation[];
  /** The operations as the document describes them, for forms; null until it has been read. */
  readonly described: readonly ConsoleOperation[] | null;
  /** Reads the document, unless it has been read. If it cannot be read, the page says so, and this is false. */
  readonly readDocument: () => Promise<boolean>;
  readonly hasTestKit: boolean;
  readonly gate: Gate;
  readonly calls: Calls;
  readonly reads: Reads;
  readonly clock: MerchantClock;
  readonly knownIds: KnownIds;
  readonly benches: BenchMemory;
  readonly openDialog: OpenDialog;
  /** Shows another world, if its key is known here. */
  readonly switchWorld: (toId: string) => void;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}

export const DashboardContext = createContext<Dashboard | null>(null);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (dashboard === null) {
    throw new Error('a part of the dashboard is outside of it');
  }
  return dashboard;
}
