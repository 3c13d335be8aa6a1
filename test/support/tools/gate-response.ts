import type { GateResponse } from '../../../shared/console/call/gate.ts';

/** A response as the gate of the dashboard gives it. */
export function gateResponse(json: object, status = 200): GateResponse {
  const request = { method: 'GET', path: '/', headers: {}, isKeyed: true };
  const isRefused = status >= 400;
  return {
    ...{ request, status, headers: [], text: JSON.stringify(json), json },
    body: isRefused ? null : json,
    problem: isRefused ? { title: 'Refused', code: 'refused', ...json } : null,
    ...{ durationMs: 1, askedAt: 0, respondedAt: 1 },
  };
}
