import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operationIdsOf } from '../clients/document-operations.ts';
import { startHost } from '../support/world/host.ts';
import {
  ASYNCAPI_EXCEPTIONS,
  REDOCLY_EXCEPTIONS,
  SCHEMATHESIS_EXCEPTIONS,
  SPECTRAL_EXCEPTIONS,
} from './exceptions.ts';
import { type Exception, faultsOf, judge, type Verdict } from './finding.ts';
import { installSpectral, lintByAsyncApi, lintByRedocly, lintBySpectral } from './lint.ts';
import { installSchemathesis, newMerchantKey, type Trial, trySchemathesis } from './schemathesis.ts';

/*
 * node test/document/run.ts: runs third-party linters on the documents of a running service, and tests the service by them.
 * Every finding is fixed or explained in exceptions.ts, and an explanation without a finding fails as well.
 */

const TROUBLES_MAX = 20;

async function main(): Promise<void> {
  const startedAt = performance.now();
  await installSpectral();
  await installSchemathesis();
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-document-'));
  const host = await startHost();
  const failures: string[] = [];
  const ending = new AbortController();
  let trial: Promise<Trial> | undefined;
  try {
    const document = await (await fetch(`${host.baseUrl}/api/v1/openapi.json`)).text();
    const [scratchKey, clockKey] = await Promise.all([
      newMerchantKey('scratch', host.dir),
      newMerchantKey('clock', host.dir),
    ]);
    trial = trySchemathesis(
      { ...host, scratchKey, clockKey },
      document,
      SCHEMATHESIS_EXCEPTIONS,
      dir,
      ending.signal,
    );
    // Its failure is handled where it is awaited, after the others.
    trial.catch(() => {});
    const redocly = judge(await lintByRedocly(document), REDOCLY_EXCEPTIONS);
    failures.push(...report('Redocly, recommended', redocly, REDOCLY_EXCEPTIONS));
    const spectral = judge(await lintBySpectral(document), SPECTRAL_EXCEPTIONS);
    failures.push(...report('Spectral, spectral:oas and OWASP', spectral, SPECTRAL_EXCEPTIONS));
    const events = await (await fetch(`${host.baseUrl}/api/v1/asyncapi.json`)).text();
    const asyncApi = judge(await lintByAsyncApi(events), ASYNCAPI_EXCEPTIONS);
    failures.push(...report("AsyncAPI's own parser", asyncApi, ASYNCAPI_EXCEPTIONS));
    const tried = await trial;
    const name = `schemathesis, ${tried.cases} cases of ${tried.operations} operations`;
    const verdict = { unexplained: [], explained: tried.explained };
    failures.push(...report(name, verdict, SCHEMATHESIS_EXCEPTIONS));
    if (tried.failures !== '') {
      failures.push(tried.failures);
    }
    if (tried.operations < operationIdsOf(document).length) {
      failures.push(`schemathesis saw ${tried.operations} of ${operationIdsOf(document).length} operations`);
    }
    const troubles = linesOfTrouble(host.output());
    if (failures.length > 0 && troubles !== '') {
      failures.push(`what the service logged as warnings and errors:\n${troubles}`);
    }
  } finally {
    ending.abort();
    await trial?.catch(() => {});
    await host.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (failures.length > 0) {
    throw new Error(`${failures.join('\n')}\n\nThe document was judged in ${seconds} s, and fell short.`);
  }
  console.log(`\nThe document and the service were judged in ${seconds} s: nothing is unexplained.`);
}

/** What a service has logged as warnings or errors, the last of it. */
function linesOfTrouble(output: string): string {
  return output
    .split('\n')
    .filter((line) => /"level":"(WARN|ERROR)"/.test(line))
    .slice(-TROUBLES_MAX)
    .join('\n');
}

/** Prints the findings of a tool, and returns those that fail the run. */
function report(name: string, verdict: Verdict, exceptions: readonly Exception[]): string[] {
  const faults = faultsOf(verdict, exceptions);
  console.log(`\n${name}: ${faults.length} faults, ${exceptions.length} exceptions`);
  for (const [index, { rule, reason }] of exceptions.entries()) {
    console.log(`  ${String(verdict.explained[index]).padStart(4)} × ${rule}: ${reason}`);
  }
  return faults.map((fault) => `${name}: ${fault}`);
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
