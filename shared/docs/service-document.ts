import { buildOpenApi } from '../contract/openapi.ts';
import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { servedOperations } from '../contract/operations.ts';

let built: OpenApiDocument | undefined;

/** The document of this deployment. It is built once: a deployment has one base URL. */
export function documentAt(baseUrl: string): OpenApiDocument {
  if (built?.servers[0].url !== baseUrl) {
    built = buildOpenApi(baseUrl, servedOperations());
  }
  return built;
}

/** `Payment` of `#/components/schemas/Payment`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
