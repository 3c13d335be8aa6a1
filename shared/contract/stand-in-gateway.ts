import { readVariable } from '../environment/variables.ts';

export const GATEWAYS = ['aws', 'stand-in'] as const;
export type GatewayKind = (typeof GATEWAYS)[number];

/** What a stand-in is told to send on as bytes, by the first type that a request accepts: that of browsers, and pictures. */
export const STAND_IN_BINARY_TYPES: readonly string[] = ['image/*', 'text/html'];
const FIRST_IS_BINARY = /^\s*(image\/|text\/html\s*([,;]|$))/i;

export function isStandInGateway(): boolean {
  return readVariable('gateway') === 'stand-in';
}

/** Whether the gateway sends on bytes where a request has this `Accept`, and not the text of their base64. */
export function sendsBytes(accept: string | undefined): boolean {
  return !isStandInGateway() || FIRST_IS_BINARY.test(accept ?? '');
}
