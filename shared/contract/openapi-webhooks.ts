import { EVENT_TYPES } from '../domain/resource.ts';
import { DOCS } from './docs.ts';
import { eventExample } from './event-examples.ts';
import { PING } from './events.ts';
import type { OpenApiDocument, SchemaInDocument } from './openapi-document.ts';

/** Schemas of the document by name. */
export type Schemas = Record<string, SchemaInDocument>;

const SENT_TYPES = [...EVENT_TYPES, PING] as const;

const HEADERS = [
  ['webhook-id', 'The id of the event: the same at each attempt, so that you can recognize duplicates.'],
  ['webhook-timestamp', 'Time of this attempt as a Unix timestamp in seconds, in real time.'],
  [
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with your secret, in Base64 (Standard Webhooks). There may be several signatures, separated by spaces: one match is enough.',
  ],
  ['webhook-attempt', 'Number of this attempt to deliver the event, from 1.'],
  ['traceparent', 'W3C Trace Context: the trace of the request that caused the event.'],
] as const;

const RESPONSES = {
  '2XX': { description: 'The event is accepted. Respond within 15 seconds and process it afterwards.' },
  default: {
    description:
      'Any other response is a failure, including a redirect: the event is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.',
  },
};

/** The name of the schema of a ping, which reports no event of a resource. */
const PING_OBJECT = 'Ping';

/** The event of each kind of resource, and of a ping: `Event` with the schema of its `data.object`. */
export function eventSchemas({ Event = {}, EventData = {} }: Schemas): Schemas {
  const schemas: Schemas = {
    [PING_OBJECT]: {
      type: 'object',
      description: 'The endpoint that a ping was sent to.',
      properties: { id: { type: 'string', description: 'The id of the endpoint.' } },
      required: ['id'],
      additionalProperties: true,
    },
  };
  for (const [resource, types] of Map.groupBy(SENT_TYPES, resourceOf)) {
    const name = eventName(resource);
    const isPing = resource === PING_OBJECT;
    const description = isPing ? 'The pinged endpoint.' : 'The whole resource right after the event.';
    const event: SchemaInDocument = {
      ...Event,
      description: `An event of a ${resource}.`,
      properties: {
        ...Event.properties,
        type: { type: 'string', enum: types, description: 'Type of the event.' },
        data: { $ref: schemaRef(`${name}Data`), description: 'The affected resource.' },
      },
    };
    schemas[name] = isPing ? withoutSequence(event) : event;
    schemas[`${name}Data`] = {
      ...EventData,
      description: 'The resource affected by the event.',
      properties: { ...EventData.properties, object: { $ref: schemaRef(resource), description } },
    };
  }
  return schemas;
}

function withoutSequence({
  properties: { sequence: _, ...properties } = {},
  ...event
}: SchemaInDocument): SchemaInDocument {
  return {
    ...event,
    description: 'A manual test of an endpoint. It has no sequence number and is not in the list of events.',
    properties,
    required: (event.required ?? []).filter((name) => name !== 'sequence'),
  };
}

/** Every event that is sent, with its body (contract §10). */
export function describeWebhooks(): OpenApiDocument['webhooks'] {
  const webhooks = SENT_TYPES.map((type) => [
    type,
    {
      post: {
        operationId: `deliveries.${pascalCased(type)}`,
        summary: type.replaceAll(/[._]/g, ' '),
        description: DOCS.events[type],
        // A tag of its own: generators would put operations with the same tag into the same file.
        tags: ['deliveries'],
        security: [],
        parameters: HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: schemaRef(eventName(resourceOf(type))) },
              example: eventExample(type),
            },
          },
        },
        responses: RESPONSES,
      },
    },
  ]);
  return Object.fromEntries(webhooks);
}

/** `payment_link.created` is an event of a PaymentLink. */
function resourceOf(type: string): string {
  if (type === PING) {
    return PING_OBJECT;
  }
  return pascalCased(type.slice(0, type.indexOf('.')));
}

/** `PaymentLinkCreated` of `payment_link.created`. */
function pascalCased(name: string): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function eventName(resource: string): string {
  return `${resource}Event`;
}

export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}
