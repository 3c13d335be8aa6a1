import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApiRequest } from '../../story/api-request.ts';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse } from '../call/gate.ts';
import { actTexts } from './act-texts.ts';
import type { BenchFields } from './use-bench-fields.ts';

interface BenchFailure {
  readonly message: string;
  readonly sent: ApiRequest;
}

/** Sends the requests of an operation, and holds what came of the last one. */
export function useBenchCall({ id, method, permission }: ConsoleOperation, fields: BenchFields) {
  const { announce, benches, gate, knownIds, reads } = useDashboard();
  const [response, setResponse] = useState(benches.get(id)?.response ?? null);
  const [failure, setFailure] = useState<BenchFailure | null>(null);
  const [isSending, setSending] = useState(false);

  useLayoutEffect(() => {
    benches.set(id, { ...fields.kept, response });
  });

  async function send(sent: ApiRequest): Promise<void> {
    fields.inPath.use();
    setFailure(null);
    setSending(true);
    try {
      show(await gate.send(sent));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setResponse(null);
      setFailure({ message, sent });
      announce(message);
    } finally {
      setSending(false);
    }
  }

  function show(received: GateResponse): void {
    if (permission === 'reset' && received.status < 300) {
      knownIds.forget();
      benches.clear();
    } else {
      knownIds.remember(received);
    }
    fields.renewKey(received.request.headers['Idempotency-Key'] ?? null);
    setResponse(received);
    announce(actTexts.bench.responded(received.status, received.durationMs));
    // The user may have left meanwhile.
    benches.set(id, { ...fields.kept, response: received });
    if (method !== 'GET') {
      reads.refresh();
    }
  }

  return { response, failure, isSending, send };
}
