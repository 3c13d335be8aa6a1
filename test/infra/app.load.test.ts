import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { GATEWAY_LOGS_STACK } from '../../infra/stage.ts';

interface Artifact {
  readonly type: string;
  readonly environment: string;
  readonly properties: { readonly terminationProtection: boolean };
}

test('without a name, the stage is a test stage called dev, of no account and no region', async () => {
  const { name, environment, properties } = await synthesize({ env: {} });
  expect(name).toBe('payments-dev');
  expect(environment).toBe('aws://unknown-account/unknown-region');
  expect(properties.terminationProtection).toBe(false);
});

test('the environment names a stage, and the command line overrides it', async () => {
  expect(await synthesize({ env: { STAGE: 'blue' } })).toMatchObject({ name: 'payments-blue' });
  expect(await synthesize({ stage: 'red', env: { STAGE: 'blue' } })).toMatchObject({ name: 'payments-red' });
});

test.each(['production', 'prod'])('a stage called %s is protected', async (stage) => {
  const { name, properties } = await synthesize({ stage });
  expect(name).toBe(`payments-${stage}`);
  expect(properties.terminationProtection).toBe(true);
});

test('the template keeps the rules of CloudFormation that can be checked without an account', async () => {
  // CDK ends with an error where it does not.
  await synthesize({ env: { CDK_VALIDATION: 'true' } });
});

/** Runs infra/app.ts as `cdk` does, without bundling, and without checking the template unless asked to. */
async function synthesize({ stage, env = {} }: { stage?: string; env?: Record<string, string> }) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-app-'));
  const context = { ...cdk.context, ...(stage && { stage }), 'aws:cdk:bundling-stacks': [] };
  try {
    await promisify(execFile)(process.execPath, ['infra/app.ts'], {
      env: {
        CDK_VALIDATION: 'false',
        CDK_OUTDIR: dir,
        CDK_CONTEXT_JSON: JSON.stringify(context),
        ...env,
      },
    });
    const { artifacts } = JSON.parse(await readFile(path.join(dir, 'manifest.json'), 'utf8'));
    const stacks = Object.entries<Artifact>(artifacts)
      .filter(([name, { type }]) => type === 'aws:cloudformation:stack' && name !== GATEWAY_LOGS_STACK)
      .map(([name, artifact]) => ({ name, ...artifact }));
    const [stack, ...more] = stacks;
    if (stack === undefined || more.length > 0) {
      throw new Error(`${stacks.length} stacks for one stage`);
    }
    return stack;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
