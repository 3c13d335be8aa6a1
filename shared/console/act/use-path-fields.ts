import { useRef, useState } from 'preact/hooks';
import { LIST_OF_PREFIX, LOG_OF_PREFIX } from '../../story/lists.ts';
import type { OperationId } from '../../story/operation-id.ts';
import { fillPath, namesIn, type PathValues } from '../../story/path-values.ts';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { readOf } from '../../story/read-request.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { FormTexts } from '../call/form-values.ts';
import { PREFIX_OF_NAME } from '../call/known-ids.ts';
import { useReads } from '../call/use-read.ts';

/** The parameters in the path of an operation, filled with the ids that were seen last. */
export interface PathFields {
  readonly values: PathValues;
  readonly form: FormTexts;
  readonly write: (form: FormTexts) => void;
  /** What the user has typed, and has not sent. */
  readonly typed: PathValues;
  /** After sending, the values no longer count as typed by the user. */
  readonly use: () => void;
}

/** @param given values of the address, and what was typed before */
export function usePathFields({ path }: ConsoleOperation, given: PathValues): PathFields {
  const { knownIds, operations } = useDashboard();
  const names = namesIn(path);
  const [typed, setTyped] = useState(given);
  const [isUsed, setUsed] = useState(false);
  const filled = useRef<PathValues>({});
  const steps = path.split('/');
  const prefixes = names.flatMap((name) => PREFIX_OF_NAME[steps[steps.indexOf(`{${name}}`) - 1] ?? ''] ?? []);
  const exists = (id: OperationId) => operations.some((operation) => operation.id === id);
  useReads(
    prefixes
      .flatMap((prefix) => LIST_OF_PREFIX[prefix] ?? [])
      .filter(exists)
      .map((id) => readOf(id)),
  );
  filled.current = fillPath(names, typed, filled.current, (name, others) =>
    knownIds.idsAt(path, name, others),
  );
  const values = { ...filled.current, ...typed };
  // A delivery is known by the log of its receiver.
  const owner = names.length > 1 ? (values[names[0] ?? ''] ?? '') : '';
  const log = LOG_OF_PREFIX[owner.slice(0, owner.indexOf('_'))];
  useReads(log !== undefined && exists(log) ? [readOf(log, { params: { id: owner } })] : []);

  function write({ texts }: FormTexts): void {
    const changed = names.filter((name) => (texts[name] ?? '') !== (values[name] ?? ''));
    setUsed(false);
    setTyped({ ...typed, ...Object.fromEntries(changed.map((name) => [name, texts[name] ?? ''])) });
  }

  return {
    values,
    form: { texts: values, rows: {} },
    write,
    typed: isUsed ? {} : typed,
    use: () => setUsed(true),
  };
}
