/**
 * `stand-in` in the environment of a deployment whose gateway is not API Gateway itself. LocalStack's does not match the
 * binary media type that stands for all: it sends base64 on as text, under the headers of what it encodes.
 */
export const GATEWAY_VARIABLE = 'GATEWAY';
export const GATEWAYS = ['aws', 'stand-in'] as const;
export type GatewayKind = (typeof GATEWAYS)[number];

/** What a stand-in is told to send on as bytes, by the first type that a request accepts: that of browsers, and pictures. */
export const STAND_IN_BINARY_TYPES: readonly string[] = ['image/*', 'text/html'];
const FIRST_IS_BINARY = /^\s*(image\/|text\/html\s*([,;]|$))/i;

export function isStandInGateway(): boolean {
  return process.env[GATEWAY_VARIABLE] === 'stand-in';
}

/** Whether the gateway sends on bytes where a request has this `Accept`, and not the text of their base64. */
export function sendsBytes(accept: string | undefined): boolean {
  return !isStandInGateway() || FIRST_IS_BINARY.test(accept ?? '');
}
