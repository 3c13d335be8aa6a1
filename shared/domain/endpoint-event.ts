/** Events about a merchant's endpoint, which go to its other endpoints (contract §14). */
export const ENDPOINT_EVENTS = [
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
] as const;
export type EndpointEventType = (typeof ENDPOINT_EVENTS)[number];
