import { startTimer, stopTimer } from '../real-timers.ts';
import { type StartedService, startService } from './start-service.ts';

/** The service of a test world, and a key of the merchant to whom the world belongs. */
export interface JoinedService {
  readonly baseUrl: string;
  readonly key: string;
  /** Ends a started service soon after its last user, who need not wait for that. */
  leave(): void;
}

/** The next test may need it. */
const KEPT_MS = 3_000;

/** The service that this process started, and how many use it. */
let started: Promise<StartedService> | undefined;
let users = 0;
let ending: ReturnType<typeof startTimer> | undefined;

/**
 * The running service that is named, or else one that this process starts, which its users share.
 * @throws Error if only a base URL or only a key is named, or if no service starts
 */
export async function joinService(
  baseUrl: string | undefined,
  key: string | undefined,
): Promise<JoinedService> {
  if (baseUrl !== undefined && key !== undefined) {
    return { baseUrl, key, leave: () => undefined };
  }
  if (baseUrl !== undefined || key !== undefined) {
    const missing = key === undefined ? 'PG_KEY' : 'PG_BASE_URL';
    throw new Error(`PG_BASE_URL and PG_KEY name a running service together: ${missing} is not set.`);
  }
  users += 1;
  stopTimer(ending);
  started ??= startService();
  const own = started;
  const end = () => {
    started = started === own ? undefined : started;
    own.then(
      (service) => service.end(),
      () => undefined,
    );
  };
  const leave = () => {
    users -= 1;
    if (users === 0) {
      ending = startTimer(end, KEPT_MS);
      ending.unref?.();
    }
  };
  try {
    const service = await own;
    return { baseUrl: service.baseUrl, key: service.key, leave };
  } catch (error) {
    leave();
    end();
    throw error;
  }
}
