import type { OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import { nameIn } from './service-document.ts';

type Webhook = OpenApiDocument['webhooks'][string]['post'];
type SchemasByName = Readonly<Record<string, unknown>>;

const SINK_PATH = '/sink/{token}';
const JSON_BODY = 'application/json';
const POST = { http: { method: 'POST', bindingVersion: '0.3.0' } };
/** What a receiver gets beside the id: `webhook-signature` is that of Standard Webhooks' own example. */
const HEADER_EXAMPLES: Readonly<Record<string, string>> = {
  'webhook-timestamp': '1793588520',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  'webhook-attempt': '1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

/** What receivers get, as AsyncAPI 3.1: the webhooks of the OpenAPI document from the side of those who receive them. */
export function buildAsyncApi(document: OpenApiDocument): object {
  const { info, servers, webhooks, components, paths } = document;
  const messages = Object.entries(webhooks).map(([type, { post }]) => [type, describeMessage(post)]);
  const receivers = SINK_PATH in paths ? { ...ENDPOINT, ...SINK } : ENDPOINT;
  const names = Object.keys(webhooks);
  return {
    asyncapi: '3.1.0',
    info: {
      title: `${info.title}: webhooks`,
      version: info.version,
      description:
        'Every event that is sent to a receiver: at least once, in order for each resource, signed as Standard Webhooks says. `receive` is what your program does.',
      license: { name: 'Proprietary' },
    },
    defaultContentType: JSON_BODY,
    servers: describeServers(servers[0].url, Object.keys(receivers)),
    // Before what refers to them: the OpenAPI document shows the beginning, in which a reference would be taken for its own.
    components: {
      messages: Object.fromEntries(messages),
      schemas: schemasOf(
        Object.values(webhooks).map(({ post }) => payloadOf(post).schema),
        components.schemas,
      ),
    },
    channels: Object.fromEntries(
      Object.entries(receivers).map(([name, receiver]) => [name, describeChannel(receiver, names)]),
    ),
    operations: Object.fromEntries(
      Object.keys(receivers).map((name) => [
        `receiveAt${name[0]?.toUpperCase()}${name.slice(1)}`,
        describeReceiving(name, names),
      ]),
    ),
  };
}

interface ReceivingChannel {
  readonly address: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, object>>;
}

const ENDPOINT: Readonly<Record<string, ReceivingChannel>> = {
  endpoint: {
    address: '/{path}',
    server: 'receiver',
    title: 'A webhook endpoint',
    description:
      'An address of your own, as a webhook endpoint names it. It gets the events that the endpoint chooses, and a ping when you ask for one.',
    parameters: {
      path: { description: 'What follows the host in the URL of the endpoint.', default: 'webhooks' },
    },
  },
};
const SINK: Readonly<Record<string, ReceivingChannel>> = {
  sink: {
    address: SINK_PATH,
    server: 'deployment',
    title: 'A sink',
    description: 'A test receiver of the service itself, which can be told to fail. It gets every event.',
    parameters: { token: { description: 'The unguessable part of the address of the sink.' } },
  },
};

function describeServers(baseUrl: string, receivers: readonly string[]) {
  const { host, pathname, protocol } = new URL(baseUrl);
  return {
    receiver: {
      host: '{host}',
      protocol: 'https',
      description: 'Your server.',
      variables: { host: { default: 'shop.example.com', description: 'The host of the endpoint.' } },
    },
    ...(receivers.includes('sink') && {
      deployment: {
        host,
        ...(pathname !== '/' && { pathname }),
        protocol: protocol.replace(':', ''),
        description: 'This deployment.',
      },
    }),
  };
}

function describeChannel({ server, ...receiver }: ReceivingChannel, names: readonly string[]) {
  return {
    ...receiver,
    servers: [{ $ref: `#/servers/${server}` }],
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  };
}

function describeReceiving(channel: string, names: readonly string[]) {
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${channel}` },
    summary: 'Receive an event',
    description:
      'Verify the signature over the raw body, respond with 2xx within 15 seconds, and process the event afterwards, once for each `webhook-id`.',
    bindings: POST,
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  };
}

function describeMessage(webhook: Webhook) {
  const { parameters, summary, description } = webhook;
  const { schema, example } = payloadOf(webhook);
  const { id } = example as { readonly id: string };
  const known: Readonly<Record<string, string>> = { ...HEADER_EXAMPLES, 'webhook-id': id };
  const headers = parameters.flatMap(({ name, example = known[name] }) =>
    example === undefined ? [] : [[name, example]],
  );
  return {
    title: summary,
    description,
    contentType: JSON_BODY,
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
      ),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    },
    payload: schema,
    examples: [{ headers: Object.fromEntries(headers), payload: example }],
  };
}

function payloadOf({ requestBody }: Webhook) {
  const content = requestBody?.content[JSON_BODY];
  if (content === undefined) {
    throw new Error('a webhook has no body');
  }
  return content;
}

/** The schemas that these lead to. In AsyncAPI, `discriminator` is another keyword; the kinds have their types anyway. */
function schemasOf(
  first: readonly SchemaInDocument[],
  all: OpenApiDocument['components']['schemas'],
): SchemasByName {
  const found: Record<string, unknown> = {};
  const follow = (part: unknown): unknown => {
    if (Array.isArray(part)) {
      return part.map(follow);
    }
    if (typeof part !== 'object' || part === null) {
      return part;
    }
    const { discriminator: _, $ref, ...rest } = part as { discriminator?: unknown; $ref?: unknown };
    if (typeof $ref === 'string') {
      add(nameIn($ref));
    }
    const followed = Object.entries(rest).map(([key, value]) => [key, follow(value)]);
    return { ...(typeof $ref === 'string' && { $ref }), ...Object.fromEntries(followed) };
  };
  const add = (name: string) => {
    if (!(name in found)) {
      found[name] = {};
      found[name] = follow(all[name]);
    }
  };
  first.forEach(follow);
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
