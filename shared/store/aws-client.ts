import { createHash, createHmac, createSecretKey } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { SignatureV4 } from '@smithy/signature-v4';
import { Retries } from './retries.ts';
import { Semaphore } from './semaphore.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A call takes milliseconds: if no response comes for seconds, a retry is better. */
const SILENCE_MAX_MS = 3_000;
const CONNECTIONS_MAX = 50;
/** AWS refuses signatures whose time is five minutes off. A smaller difference is not the reason of a refusal. */
const CLOCK_SKEW_MIN_MS = 60_000;
/** The errors for a signature whose time is wrong. Some of them have other causes too. */
const CLOCK_SKEW_ERRORS: ReadonlySet<string> = new Set([
  'AuthFailure',
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
]);

/** A service of AWS that speaks JSON (AWS's protocols `awsJson1_0` and `awsJson1_1`). */
export interface Service {
  /** As its address begins and as requests to it are signed: `dynamodb`. */
  readonly name: string;
  /** What precedes the names of its operations in requests: `DynamoDB_20120810`. */
  readonly target: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  /** The environment variable that names another endpoint than that of AWS. */
  readonly endpointVariable: string;
  /** What makes requests and responses of input and output, where JSON alone does not. */
  readonly json?: Pick<JSON, 'stringify' | 'parse'>;
}

/** Input and output of each operation that a client is used for, by the operation's name. */
type OperationsOf<Operations> = Record<keyof Operations, readonly [input: object, output: object]>;

/** One attempt at a call. */
export interface AwsCall {
  readonly operation: string;
  readonly input: object;
  /** What the caller names the call, for interceptors: it is not sent. */
  readonly step: string | undefined;
}

/**
 * Stands around every attempt at a call, before it waits for a connection: it may change the call or its output, hold
 * it, or fail. What it throws is retried as if the service had failed so.
 */
export type Interceptor = (call: AwsCall, next: Send) => Promise<object>;

type Send = (call: AwsCall) => Promise<object>;

/**
 * A client of one service, by the protocol that AWS documents: JSON over HTTP, signed (Signature Version 4). It retries
 * as `Retries` says. Region and credentials come from the environment, where Lambda puts them: the SDK's clients know
 * every source of these, and more protocols, which is half of what a function would load, and of what a call costs.
 *
 * An error that the service returns has the service's `name` for it and its fields, `$fault`, which is `server` where
 * the service failed, and `$metadata.httpStatusCode`, as the SDK's errors do.
 */
export class AwsClient<Operations extends OperationsOf<Operations>> {
  readonly #service: Service;
  readonly #signer: SignatureV4;
  readonly #retries = new Retries();
  // The time-out of an attempt begins when it has a connection. If attempts waited for connections within their time,
  // many calls at once would time out though the service responds to each of them quickly.
  readonly #connections = new Semaphore(CONNECTIONS_MAX);
  #interceptors: readonly Interceptor[] = [];
  #address: { readonly url: URL; readonly agent: http.Agent } | undefined;
  /** How far the service's clock is ahead of this machine's. */
  #clockAheadMs = 0;

  constructor(service: Service) {
    this.#service = service;
    this.#signer = new SignatureV4({
      service: service.name,
      region: async () => readVariable('AWS_REGION'),
      credentials: async () => ({
        accessKeyId: readVariable('AWS_ACCESS_KEY_ID'),
        secretAccessKey: readVariable('AWS_SECRET_ACCESS_KEY'),
        ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
      }),
      sha256: Sha256,
    });
  }

  /** @param step a name for interceptors */
  call<Name extends keyof Operations & string>(
    operation: Name,
    input: Operations[Name][0],
    step?: string,
  ): Promise<Operations[Name][1]> {
    const send = this.#interceptors.reduce<Send>(
      (next, intercept) => (call) => intercept(call, next),
      (call) => this.#connections.run(() => this.#send(call)),
    );
    return this.#retries.run(() => send({ operation, input, step }));
  }

  /** Adds an interceptor around those before. @returns removes it */
  use(interceptor: Interceptor): () => void {
    this.#interceptors = [...this.#interceptors, interceptor];
    return () => {
      this.#interceptors = this.#interceptors.filter((one) => one !== interceptor);
    };
  }

  async #send({ operation, input }: AwsCall): Promise<object> {
    const { stringify, parse } = this.#service.json ?? JSON;
    const body = Buffer.from(stringify(input));
    const signedAheadMs = this.#clockAheadMs;
    const response = await this.#post(operation, body);
    try {
      return readResponse(response, parse);
    } catch (error) {
      if (!this.#isClockCorrected(error as Error, response, signedAheadMs)) {
        throw error;
      }
      return readResponse(await this.#post(operation, body), parse);
    }
  }

  async #post(operation: string, body: Buffer): Promise<WholeResponse> {
    const { url, agent } = this.#locate();
    const headers = {
      host: url.host,
      'content-type': this.#service.contentType,
      'content-length': String(body.length),
      'x-amz-target': `${this.#service.target}.${operation}`,
    };
    const { protocol, hostname, pathname: path } = url;
    const signed = await this.#signer.sign(
      { method: 'POST', protocol, hostname, path, headers, body },
      { signingDate: new Date(Date.now() + this.#clockAheadMs) },
    );
    return post(url, agent, signed.headers, body);
  }

  /** Read when the first call is sent, since commands and tests set their environment late. */
  #locate() {
    if (this.#address === undefined) {
      const { name, endpointVariable } = this.#service;
      const url = new URL(
        process.env[endpointVariable] ||
          process.env.AWS_ENDPOINT_URL ||
          `https://${name}.${readVariable('AWS_REGION')}.amazonaws.com`,
      );
      this.#address = { url, agent: new (moduleFor(url).Agent)({ keepAlive: true }) };
    }
    return this.#address;
  }

  /** Whether a signature was refused for its time: then the next ones have the service's time. */
  #isClockCorrected({ name }: Error, { date = '' }: WholeResponse, signedAheadMs: number): boolean {
    const aheadMs = Date.parse(date) - Date.now();
    const isSkewed = CLOCK_SKEW_ERRORS.has(name) && Math.abs(aheadMs - signedAheadMs) >= CLOCK_SKEW_MIN_MS;
    if (isSkewed) {
      this.#clockAheadMs = aheadMs;
    }
    return isSkewed;
  }
}

/** @throws Error where the variable is missing */
export function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set`);
  }
  return value;
}

function moduleFor({ protocol }: URL) {
  return protocol === 'https:' ? https : http;
}

/** Node's SHA-256, and HMAC where there is a key, as the signer uses them. */
class Sha256 {
  readonly #hash;

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      key === undefined
        ? createHash('sha256')
        : // Node accepts a key object several times as fast as the bytes themselves.
          createHmac('sha256', createSecretKey(Buffer.from(key as Uint8Array)));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/* --- HTTP --- */

interface WholeResponse {
  readonly status: number;
  /** The service's clock. */
  readonly date: string | undefined;
  readonly text: string;
}

/** @throws Error where the whole response does not come, or not in time */
function post(
  url: URL,
  agent: http.Agent,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<WholeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WholeResponse>();
  const sending = moduleFor(url).request(url, { method: 'POST', agent, headers });
  let timer: NodeJS.Timeout | undefined;
  const expectWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reject(Object.assign(new Error(`nothing came within ${ms} ms`), { name: 'TimeoutError' }));
      sending.destroy();
    }, ms);
  };
  expectWithin(SILENCE_MAX_MS);
  sending.once('socket', (socket) => {
    if (socket.connecting) {
      expectWithin(CONNECT_TIMEOUT_MS);
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => expectWithin(SILENCE_MAX_MS));
    }
  });
  sending.on('error', reject);
  sending.once('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      expectWithin(SILENCE_MAX_MS);
    });
    response.once('error', reject);
    response.once('end', () =>
      resolve({
        status: Number(response.statusCode),
        date: response.headers.date,
        text: Buffer.concat(chunks).toString(),
      }),
    );
  });
  sending.end(body);
  return promise.finally(() => clearTimeout(timer));
}

/**
 * The output in a response.
 * @throws Error with the name and the fields of the error in the response; as if the service had failed, where a
 *   response of success is no JSON: the service, or a proxy in between, sent only a part of it
 */
function readResponse({ status, text }: WholeResponse, parse: JSON['parse']): object {
  let read: Readonly<Record<string, unknown>> | null = null;
  try {
    read = parse(text);
  } catch {
    // A proxy may respond with a page.
  }
  if (status < 300 && read !== null) {
    return read;
  }
  const { __type = 'UnknownError', message, Message, ...fields } = read ?? {};
  throw Object.assign(new Error(String(message ?? Message ?? `a response of status ${status}`)), {
    ...fields,
    // Without the namespace before it: `com.amazonaws.dynamodb.v20120810#ValidationException`.
    name: String(__type).replace(/^.*#/, ''),
    $fault: status >= 300 && status < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: status },
  });
}
