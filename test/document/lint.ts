import { createRequire } from 'node:module';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { installNodePackages } from '../support/tools/node-packages.ts';
import type { Finding } from './finding.ts';

/** What Redocly's recommended rules find in a document. */
export async function lintByRedocly(source: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    where: location[0]?.pointer ?? '',
    message,
  }));
}

/** What AsyncAPI's own parser finds in a document. */
export async function lintByAsyncApi(source: string): Promise<Finding[]> {
  const folder = await installNodePackages('asyncapi', path.join(import.meta.dirname, 'asyncapi'));
  const { Parser } = createRequire(path.join(folder, 'package.json'))('@asyncapi/parser');
  const { diagnostics }: { diagnostics: SpectralResult[] } = await new Parser().parse(source);
  return diagnostics.map(toFinding);
}

interface SpectralResult {
  readonly code: string | number;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export const SPECTRAL = path.join(import.meta.dirname, 'spectral');

export function installSpectral(): Promise<string> {
  return installNodePackages('spectral', SPECTRAL);
}

/** What Spectral's rules for OpenAPI and those of OWASP for APIs find in a document. */
export async function lintBySpectral(source: string): Promise<Finding[]> {
  const load = createRequire(path.join(await installSpectral(), 'package.json'));
  const { Spectral, Document } = load('@stoplight/spectral-core');
  const { oas } = load('@stoplight/spectral-rulesets');
  const owasp = load('@stoplight/spectral-owasp-ruleset');
  const { Json } = load('@stoplight/spectral-parsers');
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [
      [oas, 'recommended'],
      [owasp, 'recommended'],
    ],
  });
  const results: SpectralResult[] = await spectral.run(new Document(source, Json, 'openapi.json'));
  return results.map(toFinding);
}

function toFinding({ code, path: steps, message }: SpectralResult): Finding {
  return { rule: String(code), where: steps.join('.'), message };
}
