import http from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]'];
const USES_PROXY = /(?:^|\s)--use-env-proxy(?:\s|$)/;

/** Lets no request of this process to its own machine go through a proxy that the environment names for others. */
export function reachLoopback(): void {
  const { env, execArgv } = process;
  const named = Object.entries(env).some(([name, value]) => /^(?:https?|all)_proxy$/i.test(name) && value);
  if (!named) {
    return;
  }
  const direct = [env.no_proxy ?? env.NO_PROXY ?? '', ...LOOPBACK].filter((name) => name !== '').join(',');
  env.no_proxy = direct;
  env.NO_PROXY = direct;
  const options = [env.NODE_OPTIONS ?? '', ...execArgv].join(' ');
  if (env.NODE_USE_ENV_PROXY === '1' || USES_PROXY.test(options)) {
    // Node 22.13 has no such function, and no proxies of its own.
    http.setGlobalProxyFromEnv?.(env);
  }
}
