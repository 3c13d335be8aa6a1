import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { KEY_EXAMPLE, type SampleRequest, sampleRequests, variablesOf } from './sample-requests.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const JSON_TYPE = 'application/json';

/**
 * Every operation as a request of a Postman collection, in a folder for each area. Its format 2.1 is the one that Postman,
 * Bruno, Insomnia and Hoppscotch import; Bruno's own is read by Bruno alone.
 */
export function buildPostmanCollection(document: OpenApiDocument): object {
  const requests = sampleRequests(document);
  const [{ url }] = document.servers;
  const byArea = Map.groupBy(requests, ({ operation }) => operation.tags[0] ?? '');
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    item: document.tags.flatMap(({ name, description }) => {
      const item = byArea.get(name)?.map(describeRequest);
      return item === undefined ? [] : [{ name, description, item }];
    }),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: url },
      { key: 'key', value: KEY_EXAMPLE },
      ...variablesOf(requests).map((key) => ({ key, value: `your_${key}` })),
    ],
  };
}

function describeRequest(sample: SampleRequest): object {
  const { operation, method, path, headers, body, isKeyed } = sample;
  const query = operation.parameters.flatMap((parameter) =>
    parameter.in === 'query'
      ? [{ key: parameter.name, value: '', disabled: true, description: parameter.description }]
      : [],
  );
  const request = {
    method,
    header: Object.entries(headers).map(([key, value]) => ({
      key,
      value: key === 'Idempotency-Key' ? '{{$guid}}' : value,
    })),
    ...(!isKeyed && { auth: { type: 'noauth' } }),
    ...(body !== undefined && { body: describeBody(body) }),
    url: {
      raw: `{{baseUrl}}${path}`,
      host: ['{{baseUrl}}'],
      path: path.split('/').slice(1),
      ...(query.length > 0 && { query }),
    },
    description: operation.description,
  };
  return { name: operation.summary, request, response: recordedResponses(sample, request) };
}

function describeBody(body: string): object {
  return body.startsWith('{')
    ? {
        mode: 'raw',
        raw: JSON.stringify(JSON.parse(body), null, 2),
        options: { raw: { language: 'json' } },
      }
    : {
        mode: 'urlencoded',
        urlencoded: [...new URLSearchParams(body)].map(([key, value]) => ({ key, value })),
      };
}

/** The response that was recorded from the running service, where it is whole. */
function recordedResponses({ operation }: SampleRequest, request: object): object[] {
  return Object.entries(operation.responses).flatMap(([status, { description, content }]) => {
    const example = content?.[JSON_TYPE]?.example;
    return example === undefined
      ? []
      : [
          {
            name: description,
            originalRequest: request,
            code: Number(status),
            header: [{ key: 'Content-Type', value: JSON_TYPE }],
            body: JSON.stringify(example, null, 2),
          },
        ];
  });
}
