/*
 * In bundles, this stands in the place of two parts of the SDK that find endpoints. Every command carries them along,
 * but where calls go is said by shared/store/aws-client.ts.
 */

/** A plugin that adds no step to a command. */
export function getEndpointPlugin() {
  return { applyToStack: () => undefined };
}

/** Would note a feature for the header that tells AWS which ones are used. */
export function setFeature(): void {}

/** Named by a step that no bundle has. */
export function toEndpointV1(): never {
  throw new Error('no command asks for an endpoint');
}
