import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';
import { isIP } from 'node:net';
import type { Reach } from '../domain/delivery.ts';
import { hostOf, isLoopbackName, readEndpointUrl } from './endpoint-url.ts';
import { forbiddenAddress } from './forbidden-address.ts';
import { type ReceiverResponse, readResponse, withoutResponse } from './read-response.ts';
import { resolveName } from './resolve-name.ts';

/** How long a delivery may take in all, from the look-up of the name to the end of the response (contract §14). */
const TIMEOUT_MS = 15_000;
/** The addresses of every name of this machine itself, without a DNS query. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/** One message to send. */
export interface Post {
  readonly url: string;
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** In milliseconds, for all of it, where it has less time than others. */
  readonly timeoutMs?: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

export interface PostResponse extends ReceiverResponse {
  readonly durationMs: number;
}

export interface PosterOptions {
  /** In milliseconds, for all of one message. */
  readonly timeoutMs?: number;
  /** The addresses of a name, none where it has none; ends with the signal. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** The certificate to trust instead of the well-known ones, as PEM. */
  readonly ca?: string;
  /** Makes connections instead of Node, to the `host` that it is given. */
  readonly connect?: Agent['createConnection'];
}

/**
 * Posts to receivers that are not trusted (contract §14). Their names are resolved once for each message, every address
 * is checked, and connections go to such an address, never to a name. Redirects are not followed, and compressed
 * responses not unpacked. Connections are kept, by address and name, until the poster is closed.
 */
export class Poster {
  readonly #timeoutMs: number;
  readonly #resolve: NonNullable<PosterOptions['resolve']>;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #secureAgent: SecureAgent;

  constructor({ timeoutMs = TIMEOUT_MS, resolve = resolveName, ca, connect }: PosterOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#resolve = resolve;
    // Explicit, so that the environment cannot turn it off.
    this.#secureAgent = new SecureAgent({ keepAlive: true, rejectUnauthorized: true, ...(ca && { ca }) });
    if (connect !== undefined) {
      this.#agent.createConnection = connect;
      this.#secureAgent.createConnection = connect;
    }
  }

  /** Never throws because of a receiver, its name or its address. */
  async post(message: Post): Promise<PostResponse> {
    const beganAt = performance.now();
    const deadline = new AbortController();
    const end = () => deadline.abort();
    const timer = setTimeout(end, message.timeoutMs ?? this.#timeoutMs);
    message.signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await this.#postAnywhere(message, deadline.signal);
      return { ...response, durationMs: Math.round(performance.now() - beganAt) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes its connections: those in use when they have their responses. */
  close(): void {
    for (const agent of [this.#agent, this.#secureAgent]) {
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) {
        socket?.destroy();
      }
    }
  }

  async #postAnywhere(message: Post, deadline: AbortSignal): Promise<ReceiverResponse> {
    if (message.reach === 'own') {
      const url = new URL(message.url);
      return this.#postTo(hostOf(url), url, message, deadline);
    }
    const url = readEndpointUrl(message.url, message.reach === 'loopback too');
    if (!(url instanceof URL)) {
      return withoutResponse('address_forbidden');
    }
    const addresses = await this.#lookUpAddresses(hostOf(url), deadline);
    const allowed = url.protocol === 'http:' ? 'loopback' : null;
    if (addresses.some((address) => forbiddenAddress(address) !== allowed)) {
      return withoutResponse('address_forbidden');
    }
    let response = withoutResponse('name_not_found');
    for (const address of addresses) {
      response = await this.#postTo(address, url, message, deadline);
      if (response.failure !== 'unreachable' || deadline.aborted) {
        break;
      }
    }
    return response;
  }

  /** The addresses of a host, in the order in which they are tried; none where its name has none, or they are not known in time. */
  async #lookUpAddresses(host: string, deadline: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) {
      return [host];
    }
    if (isLoopbackName(host)) {
      return LOOPBACK_ADDRESSES;
    }
    const none = () => [];
    return Promise.race([this.#resolve(host, deadline).catch(none), once(deadline, 'abort').then(none)]);
  }

  /** @param host to connect to: an address that was checked, or this service's own host */
  async #postTo(host: string, url: URL, message: Post, deadline: AbortSignal): Promise<ReceiverResponse> {
    const [send, agent] =
      url.protocol === 'https:' ? [requestSecurely, this.#secureAgent] : [request, this.#agent];
    const sent = send({
      agent,
      method: 'POST',
      host,
      port: url.port,
      path: url.pathname + url.search,
      // The name that the certificate must have; if the URL has an address, that address.
      servername: isIP(hostOf(url)) === 0 ? hostOf(url) : '',
      headers: { ...message.headers, host: url.host, 'accept-encoding': 'identity' },
      signal: deadline,
    });
    sent.end(message.body);
    const response = await readResponse(sent, deadline);
    // The receiver had closed a kept-alive connection, so it may not have seen the request.
    const isStale = sent.reusedSocket && response.status === null && response.failure === 'connection_lost';
    return isStale ? this.#postTo(host, url, message, deadline) : response;
  }
}
