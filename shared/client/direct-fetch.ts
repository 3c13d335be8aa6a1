/** Where Node keeps what sends the requests of its fetch. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

interface ProxyingDispatcher {
  readonly constructor: (new (options: object) => object) & { readonly name: string };
}

/**
 * A fetch that sends no request to this machine through a proxy that the environment names (`NODE_USE_ENV_PROXY`): a
 * proxy is for others.
 */
export function directFetch(url: string, init: RequestInit): Promise<Response> {
  const dispatcher = (globalThis as { [DISPATCHER]?: ProxyingDispatcher })[DISPATCHER];
  if (dispatcher?.constructor.name !== 'EnvHttpProxyAgent' || !LOOPBACK.test(new URL(url).hostname)) {
    return fetch(url, init);
  }
  direct ??= new dispatcher.constructor({ noProxy: '*' });
  return fetch(url, { ...init, dispatcher: direct } as RequestInit);
}

let direct: object | undefined;
