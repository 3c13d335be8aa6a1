/*
 * In bundles, this file replaces two parts of the SDK that resolve endpoints. Every command includes them, but
 * shared/store/aws-client.ts sets the endpoint of calls.
 */

/** A plugin that adds no step to a command. */
export function getEndpointPlugin() {
  return { applyToStack: () => undefined };
}

/** Would record a feature for the header that lists the used features for AWS. */
export function setFeature(): void {}

/** Referenced by a step that no bundle has. */
export function toEndpointV1(): never {
  throw new Error('no command asks for an endpoint');
}
