import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../shared/contract/examples.ts';
import { formsOf } from '../../shared/contract/openapi.ts';
import { errorCodesOf, type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import {
  type Answer,
  describedAs,
  document,
  follow,
  PROBLEM,
  parametersOf,
  type Text,
} from '../support/tools/openapi-document.ts';
import { refusalsOf } from '../support/world/refusals.ts';

const NOW = Date.UTC(2026, 10, 2);

function answerOf(row: Operation, status: number): Answer {
  const answer = describedAs(row).responses[status];
  if (answer === undefined) {
    throw new Error(`${row.id} does not answer ${status}`);
  }
  return answer;
}

describe.each(allOperations)('in the document, $id', (row) => {
  const described = describedAs(row);

  it('is protected exactly if it requires a permission', () => {
    expect(described.security ?? document.security).toEqual(row.permission === null ? [] : [{ apiKey: [] }]);
    expect(described).toMatchObject(row.permission === null ? {} : { 'x-permission': row.permission });
  });

  it('has the parameters of its path, its query and its headers', () => {
    expect(parametersOf(row, 'path')).toMatchObject(
      pathParamsOf(row).map((name) => ({ name, required: true })),
    );
    const query = row.query as { entries?: object } | undefined;
    expect(parametersOf(row, 'query').map(({ name }) => name)).toEqual(Object.keys(query?.entries ?? {}));
    expect(parametersOf(row, 'header')).toMatchObject([
      ...(row.idempotent ? [{ name: 'Idempotency-Key', required: true }] : []),
      ...(row.permission === null ? [] : [{ name: 'PG-Version', required: false }]),
    ]);
  });

  it('gives a default only if it is a value that the parameter can have', () => {
    const types = parametersOf(row, 'query').filter(({ schema }) => schema.default !== undefined);
    const wrong = types.filter(
      ({ schema }) => (schema.type === 'integer') !== Number.isInteger(schema.default),
    );
    expect(wrong).toEqual([]);
  });

  it('has its success response, with the request id and the version', () => {
    const { headers, content } = answerOf(row, row.success.status);
    const expected = [
      'X-Request-Id',
      ...(row.permission === null ? [] : ['PG-Version', 'PG-Clock']),
      ...(row.idempotent ? ['Idempotent-Replayed', 'Original-Request-Id'] : []),
    ];
    expect(Object.keys(headers).toSorted()).toEqual(expected.toSorted());
    const [mediaType] = ('schema' in row.success ? 'application/json' : row.success.contentType).split(';');
    expect(Object.keys(content)).toEqual([
      mediaType,
      ...('orJson' in row.success ? ['application/json'] : []),
      ...('orMarkdown' in row.success ? ['text/markdown'] : []),
    ]);
    expect(follow(content[mediaType ?? '']?.schema ?? {})).toHaveProperty('type');
  });

  it('shows a response of the running service, or the start of a long one', () => {
    const { content } = answerOf(row, row.success.status);
    for (const { mediaType, name, isLong } of formsOf(row)) {
      const value = EXAMPLES[name];
      expect(value).toBeTruthy();
      expect(content[mediaType]).toMatchObject(
        isLong ? { examples: { beginning: { value } } } : { example: value },
      );
    }
  });

  it('shows every error code that it can return under its status', () => {
    const shown = Object.entries(described.responses).flatMap(([status, { content }]) =>
      Object.keys(content[PROBLEM]?.examples ?? {}).map((code) => `${status} ${code}`),
    );
    const expected = errorCodesOf(row).map((code) => `${entryOf(code).status} ${code}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  it('shows of every error what the catalogue says', () => {
    for (const code of errorCodesOf(row)) {
      const { status, title } = entryOf(code);
      const { examples } = answerOf(row, status).content[PROBLEM] ?? {};
      expect(follow(examples?.[code] ?? {})).toMatchObject({
        value: { code, status, title, type: expect.stringMatching(`/errors/${code}$`) },
      });
    }
  });

  it('declares a problem for every other status, and what is refused before it is read', () => {
    const { responses } = described;
    expect(responses.default?.content[PROBLEM]).toEqual({ schema: { $ref: '#/components/schemas/Problem' } });
    const pages = row.problems === 'pages' ? ['text/html'] : [];
    expect(Object.keys(responses.default?.content ?? {})).toEqual([...pages, PROBLEM]);
    expect(responses.default?.headers).toHaveProperty('X-Request-Id');
    for (const code of [
      'malformed_request',
      'request_timeout',
      'expectation_failed',
      'misdirected_request',
      'headers_too_large',
    ]) {
      expect(answerOf(row, entryOf(code as ErrorCode).status).content[PROBLEM]?.examples).toHaveProperty(
        code,
      );
    }
  });

  it('names the headers of refusals: which request, how to authenticate, how long to wait', () => {
    for (const code of errorCodesOf(row)) {
      const { status, retryAfterSeconds } = entryOf(code);
      const { headers } = answerOf(row, status);
      expect(headers).toHaveProperty('X-Request-Id');
      expect('WWW-Authenticate' in headers).toBe(status === 401);
      expect(retryAfterSeconds !== undefined && !('Retry-After' in headers)).toBe(false);
    }
  });
});

/** HTTP gives the body of a DELETE no meaning, so the document has none. */
const rowsWithBody = allOperations.filter(({ body, method }) => body !== undefined && method !== 'DELETE');

describe.each(rowsWithBody)('in the document, the body of $id', (row) => {
  const content = describedAs(row).requestBody?.content['application/json'];

  it('is optional exactly if the operation accepts an empty one, and has an example', () => {
    const isEmptyRefused = refusalsOf(row, {}).length + (row.checkBody?.({}, NOW, 'test') ?? []).length > 0;
    expect(describedAs(row).requestBody?.required).toBe(isEmptyRefused);
    expect(content?.example).toEqual(row.example);
    expect(follow(content?.schema ?? {})).toMatchObject({ type: 'object' });
  });

  it('has an example that the operation accepts', () => {
    expect(refusalsOf(row, row.example)).toEqual([]);
    expect(row.checkBody?.(row.example ?? {}, NOW, 'test') ?? []).toEqual([]);
    expect(v.is(row.body as NonNullable<Operation['body']>, row.example)).toBe(true);
  });
});

describe.each(allOperations.filter(({ alsoResponds }) => alsoResponds !== undefined))(
  'in the document, $id',
  (row) => {
    it('has its other statuses in its own media type, and says when', () => {
      const { responses } = describedAs(row) as unknown as { responses: Record<string, Answer & Text> };
      const mediaType = 'contentType' in row.success ? row.success.contentType.replace(/;.*/, '') : '';
      for (const [status, text] of Object.entries(row.alsoResponds ?? {})) {
        expect(responses[status]?.description).toContain(text);
        expect(Object.keys(responses[status]?.content ?? {})).toContain(mediaType);
      }
    });
  },
);

describe.each(allOperations.filter(({ problems }) => problems === 'pages'))('in the document, $id', (row) => {
  it('reports errors by a page, or by a problem of the gateway', () => {
    const { responses } = describedAs(row) as unknown as { responses: Record<string, Answer> };
    const wrong = Object.entries(responses).filter(([status]) => status >= '400');
    expect(wrong.map(([status]) => status)).toEqual(expect.arrayContaining(['404', '429', '500', '503']));
    for (const [, { content }] of wrong) {
      expect(Object.keys(content ?? {})).toContain('text/html');
    }
  });
});
