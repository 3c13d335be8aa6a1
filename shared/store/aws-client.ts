import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Sha256 } from '@smithy/core/checksum';
import { Client, getSmithyContext, ServiceException } from '@smithy/core/client';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { getRetryPlugin, resolveRetryConfig } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { MetadataBearer } from '@smithy/types';
import { Semaphore } from './semaphore.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A call takes milliseconds: after seconds without a response, a retry is better. */
const REQUEST_TIMEOUT_MS = 3_000;
const MAX_ATTEMPTS = 3;
const CONNECTIONS_MAX = 50;

/** A service of AWS that speaks JSON. */
interface Service {
  /** As its address begins and as requests to it are signed: `dynamodb`. */
  readonly name: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  /** The environment variable that names another endpoint than that of AWS. */
  readonly endpointVariable: string;
}

/**
 * Takes the commands of one of the SDK's clients in its place, and sends them with the SDK's own retries, connections
 * and signatures. The SDK's clients know every source of credentials, endpoints and protocols: half of what a function
 * loads, and of what a call costs. Here region and credentials come from the environment, where Lambda puts them, and
 * bodies are JSON as it stands. Only bytes are converted, under `B` and `BS`: a command with dates would be wrong.
 */
export class AwsClient extends Client<object, object, MetadataBearer, never> {
  /** @param options of the commands themselves */
  constructor(service: Service, options: object = {}) {
    const endpoint = new ServiceEndpoint(service);
    const config = {
      ...options,
      ...resolveRetryConfig({ maxAttempts: MAX_ATTEMPTS, retryMode: 'standard' }),
      requestHandler: new NodeHttpHandler({
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: CONNECTIONS_MAX },
        httpsAgent: { maxSockets: CONNECTIONS_MAX },
      }),
      // Otherwise commands look for an endpoint in the files of a profile.
      isCustomEndpoint: true,
      endpointProvider: () => ({ url: endpoint.url }),
    };
    super(config as never);
    const { contentType } = service;
    const stack = this.middlewareStack;
    // Commands put their own steps before these two, by the SDK's names for them.
    stack.add(
      (next, context) => (args) => {
        const request = toRequest(endpoint.url, contentType, getSmithyContext(context), args.input);
        return next({ ...args, request });
      },
      { step: 'serialize', name: 'serializerMiddleware' },
    );
    // The handler's time-out begins when it is given a request. If calls waited for a connection there, many calls at
    // once would time out though the service responds to each of them quickly.
    const connections = new Semaphore(CONNECTIONS_MAX);
    stack.add(
      (next) => (args) =>
        connections.run(async () => {
          const { response } = await next(args);
          return { response, output: await readAnswer(response as HttpResponse) };
        }),
      { step: 'deserialize', name: 'deserializerMiddleware' },
    );
    stack.use(getRetryPlugin(config));
    stack.add(
      (next) => async (args) => next({ ...args, request: await endpoint.sign(args.request as HttpRequest) }),
      { step: 'finalizeRequest', priority: 'low', name: 'signature' },
    );
  }
}

/** The URL of a service, and the signature of requests to it. */
class ServiceEndpoint {
  readonly #service: Service;
  readonly #signer: SignatureV4;
  #url: URL | undefined;

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

  /** Read when the first call is sent, since commands and tests set their environment late. */
  get url(): URL {
    const { name, endpointVariable } = this.#service;
    this.#url ??= new URL(
      process.env[endpointVariable] ||
        process.env.AWS_ENDPOINT_URL ||
        `https://${name}.${readVariable('AWS_REGION')}.amazonaws.com`,
    );
    return this.#url;
  }

  async sign(request: HttpRequest): Promise<HttpRequest> {
    return this.#isLocal ? this.#named(request) : ((await this.#signer.sign(request)) as HttpRequest);
  }

  /** Whether the service is an engine on this machine, which checks no signature. */
  get #isLocal(): boolean {
    return Boolean(process.env[this.#service.endpointVariable]) && LOOPBACK.test(this.url.hostname);
  }

  /** Adds what such an engine reads: some separate their data by the access key and the region. */
  #named(request: HttpRequest): HttpRequest {
    const owner = [
      readVariable('AWS_ACCESS_KEY_ID'),
      UNSIGNED_DAY,
      readVariable('AWS_REGION'),
      this.#service.name,
    ];
    Object.assign(request.headers, {
      'x-amz-date': `${UNSIGNED_DAY}T000000Z`,
      authorization: `AWS4-HMAC-SHA256 Credential=${owner.join('/')}/aws4_request, SignedHeaders=host, Signature=none`,
    });
    return request;
  }
}

/** Any date is accepted. */
const UNSIGNED_DAY = '20200101';
const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** @throws Error where the variable is missing */
function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set`);
  }
  return value;
}

function toRequest(
  { protocol, hostname, host, port }: URL,
  contentType: string,
  { service, operation }: { readonly service?: string; readonly operation?: string },
  input: object,
): HttpRequest {
  // Made here, once for all attempts, so that a repeated transaction takes effect once.
  const token = operation === 'TransactWriteItems' && { ClientRequestToken: randomUUID() };
  const body = Buffer.from(JSON.stringify({ ...token, ...input }, writeBytes));
  return new HttpRequest({
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    headers: {
      host,
      'content-type': contentType,
      'content-length': String(body.length),
      'x-amz-target': `${service}.${operation}`,
    },
    body,
  });
}

/** @throws ServiceException with the name and the fields of the error in the response */
async function readAnswer({ statusCode, headers, body }: HttpResponse): Promise<MetadataBearer> {
  const answered = await text(body);
  const requestId = headers['x-amzn-requestid'];
  const $metadata = { httpStatusCode: statusCode, ...(requestId !== undefined && { requestId }) };
  if (statusCode < 300) {
    return { ...fromJson(answered), $metadata };
  }
  const { __type, message, Message, ...fields } = errorIn(answered);
  const error = new ServiceException({
    name: String(__type ?? 'UnknownError').replace(/^.*#/, ''),
    message: String(message ?? Message ?? `status ${statusCode}`),
    $fault: statusCode < 500 ? 'client' : 'server',
    $metadata,
  });
  throw Object.assign(error, fields);
}

type JsonFields = Readonly<Record<string, unknown>>;

/** A proxy in between may respond with a page instead of JSON. */
function errorIn(answered: string): JsonFields {
  try {
    return fromJson(answered);
  } catch {
    return {};
  }
}

function fromJson(answered: string): JsonFields {
  const answer = JSON.parse(answered) as Record<string, unknown>;
  restoreBytes(answer);
  return answer;
}

function writeBytes(this: JsonFields, name: string, value: unknown): unknown {
  // The value itself, since that of a Buffer is converted before this is called.
  const raw = this[name];
  return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
}

function restoreBytes(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (name === 'B' && typeof value === 'string') {
      values[name] = readBytes(value);
    } else if (name === 'BS' && Array.isArray(value)) {
      values[name] = value.map(readBytes);
    } else if (typeof value === 'object' && value !== null) {
      restoreBytes(value as Record<string, unknown>);
    }
  }
}

function readBytes(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
