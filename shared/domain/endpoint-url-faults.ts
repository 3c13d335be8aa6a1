/** Why the service sends nothing to an address that can be read, as a field error says it (contract §14). */
export const ENDPOINT_URL_FAULTS = {
  machine: 'must not lead to the machine itself',
  httpToMachine: 'must be http to this machine',
  https: 'must be https',
  publicHost: 'must name a host on the public internet',
  user: 'must not have a user name or password',
  fragment: 'must not have a fragment',
  port: 'must have port 443, or one from 1024 on',
} as const;
export type EndpointUrlFault = keyof typeof ENDPOINT_URL_FAULTS;
