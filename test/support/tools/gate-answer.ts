import type { GateAnswer } from '../../../shared/console/call/gate.ts';

/** A response as the gate of the dashboard gives it. */
export function gateAnswer(json: object, status = 200): GateAnswer {
  const request = { method: 'GET', path: '/', headers: {}, isKeyed: true };
  const isRefused = status >= 400;
  return {
    ...{ request, status, headers: [], text: JSON.stringify(json), json },
    body: isRefused ? null : json,
    problem: isRefused ? { title: 'Refused', code: 'refused', ...json } : null,
    ...{ durationMs: 1, askedAt: 0, answeredAt: 1 },
  };
}
