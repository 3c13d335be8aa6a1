import { useState } from 'preact/hooks';
import type { ApiRequest } from '../../story/api-request.ts';
import { namesIn, type PathValues } from '../../story/path-values.ts';
import type { ConsoleOperation, Schema } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { EMPTY_FORM, toTexts, toValue } from '../call/form-values.ts';
import { uuidV7 } from '../call/uuid-v7.ts';
import { parameterSchema } from './parameter-schema.ts';
import { usePathFields } from './use-path-fields.ts';

const NO_FIELDS: Schema = { properties: {} };

export type BenchFields = ReturnType<typeof useBenchFields>;

/**
 * What is filled in for an operation: at first what was there when the user left it.
 * @param given values for its path and query, from the address
 */
export function useBenchFields(operation: ConsoleOperation, given: PathValues) {
  const { benches, calls } = useDashboard();
  const { method, path, example, isIdempotent, permission } = operation;
  const known = benches.get(operation.id);
  const schemas = {
    path: parameterSchema(operation, 'path') ?? NO_FIELDS,
    query: parameterSchema(operation, 'query') ?? NO_FIELDS,
    body: operation.body ?? NO_FIELDS,
  };
  const inPath = usePathFields(operation, { ...known?.typed, ...pick(given, namesIn(path)) });
  const [query, setQuery] = useState(() => {
    const asked = pick(given, Object.keys(schemas.query.properties ?? {}));
    return Object.keys(asked).length > 0 ? { texts: asked, rows: {} } : (known?.query ?? EMPTY_FORM);
  });
  const [body, setBody] = useState(known?.body ?? toTexts(schemas.body, example));
  const [text, setText] = useState(known?.text ?? null);
  const [version, setVersion] = useState(known?.version ?? '');
  const [key, setKey] = useState(uuidV7);
  const [lastKey, setLastKey] = useState(known?.lastKey ?? null);

  function request(): ApiRequest {
    const sent = operation.body === null ? undefined : (text ?? JSON.stringify(toValue(schemas.body, body)));
    const inQuery = toValue(schemas.query, query) as Record<string, unknown>;
    return {
      method,
      path: calls.addressOf(operation, inPath.values, inQuery),
      headers: {
        ...(isIdempotent && { 'Idempotency-Key': key }),
        ...(version.trim() !== '' && { 'PG-Version': version.trim() }),
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: sent,
      isKeyed: permission !== null,
    };
  }

  /** After a response: the next request has a new key. */
  function renewKey(sentKey: string | null): void {
    setLastKey(sentKey);
    setKey(uuidV7());
  }

  /** @returns false if the body is a text that a form cannot show */
  function showBodyAsForm(): boolean {
    try {
      if (text !== null) {
        setBody(toTexts(schemas.body, JSON.parse(text)));
        setText(null);
      }
      return true;
    } catch {
      return false;
    }
  }

  const kept = { typed: inPath.typed, query, body, text, version, lastKey };
  const setters = { setQuery, setBody, setText, setVersion, setKey };
  return { ...kept, ...setters, schemas, inPath, key, kept, request, renewKey, showBodyAsForm };
}

function pick(values: PathValues, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
