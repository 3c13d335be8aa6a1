import { useRef, useState } from 'preact/hooks';
import type { GateResponse, ShownProblem } from '../call/gate.ts';

/** Sends what a form asks for, once at a time, and holds why the last call was refused or failed. */
export function useSending<Body>(onResponse: (body: Body) => void) {
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);

  function clear(): void {
    setProblem(null);
    setFailure(null);
  }

  async function send(call: () => Promise<GateResponse<Body>>): Promise<void> {
    if (isSending.current) {
      return;
    }
    isSending.current = true;
    setBusy(true);
    clear();
    try {
      const response = await call();
      if (response.body !== null) {
        onResponse(response.body);
      } else {
        setProblem(response.problem);
      }
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }

  return { problem, failure, isBusy, clear, send };
}
