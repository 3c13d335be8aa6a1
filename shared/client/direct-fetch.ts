/** Where Node keeps what sends the requests of its fetch. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Absent in browsers. */
const { setImmediate: realImmediate } = globalThis;

interface SendingAgent {
  readonly constructor: (new (options: object) => object) & { readonly name: string };
}

/**
 * A fetch for programs under test:
 *
 * - It sends no request to this machine through a proxy that the environment names (`NODE_USE_ENV_PROXY`): a proxy is for
 *   others.
 * - Where a test has put other timers in the place of the real ones, it takes a new connection. Node waits for a turn of
 *   `setImmediate` before it sends on one that was used, and that turn never comes.
 */
export function directFetch(url: string, init: RequestInit): Promise<Response> {
  const usual = (globalThis as { [DISPATCHER]?: SendingAgent })[DISPATCHER];
  const isProxied = usual?.constructor.name === 'EnvHttpProxyAgent' && LOOPBACK.test(new URL(url).hostname);
  const isFaked = globalThis.setImmediate !== realImmediate;
  if (usual === undefined || !(isProxied || isFaked)) {
    return fetch(url, init);
  }
  const options = { ...(isProxied && { noProxy: '*' }), ...(isFaked && { pipelining: 0 }) };
  const name = JSON.stringify(options);
  const dispatcher = own.get(name) ?? new usual.constructor(options);
  own.set(name, dispatcher);
  return fetch(url, { ...init, dispatcher } as RequestInit);
}

const own = new Map<string, object>();
