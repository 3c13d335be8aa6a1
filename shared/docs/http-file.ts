import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { KEY_EXAMPLE, type SampleRequest, sampleRequests, variablesOf } from './sample-requests.ts';

/**
 * Every operation as a request of an .http file, in what VS Code's REST Client, JetBrains IDEs, Visual Studio and httpYac
 * have in common: variables of the file, and `$timestamp`.
 */
export function printHttpFile(document: OpenApiDocument): string {
  const requests = sampleRequests(document);
  const [{ url }] = document.servers;
  const variables = variablesOf(requests).map((name) => `@${name} = your_${name}`);
  const head = [
    `# ${document.info.title}: every request. Set the key, and the ids that a request names; then send it.`,
    `# An Idempotency-Key has the second in which it is sent: a request that is sent twice in it takes effect once.`,
    `@baseUrl = ${url}`,
    `@key = ${KEY_EXAMPLE}`,
    ...variables,
  ];
  return `${[head.join('\n'), ...requests.map(printRequest)].join('\n\n')}\n`;
}

function printRequest(request: SampleRequest): string {
  const { name, operation, method, path, headers, body, isKeyed } = request;
  const ids = variablesOf([request]).map((variable) => `{{${variable}}}`);
  const sent = Object.entries(headers).map(([header, value]) =>
    header === 'Idempotency-Key'
      ? `${header}: ${[name, ...ids, '{{$timestamp}}'].join('-')}`
      : `${header}: ${value}`,
  );
  return [
    `### ${operation.summary}`,
    `# @name ${name}`,
    `${method} {{baseUrl}}${path}`,
    ...(isKeyed ? ['Authorization: Bearer {{key}}'] : []),
    ...sent,
    ...(body === undefined ? [] : ['', shownBody(body)]),
  ].join('\n');
}

function shownBody(body: string): string {
  return body.startsWith('{') ? JSON.stringify(JSON.parse(body), null, 2) : body;
}
