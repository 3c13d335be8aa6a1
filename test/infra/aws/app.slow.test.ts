import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GATEWAY_LOGS_STACK } from '../../../infra/aws/stage.ts';

interface Artifact {
  readonly type: string;
  readonly environment: string;
  readonly properties: { readonly terminationProtection: boolean };
}

test('without a name, the stage is the test stage dev, without account and region', async () => {
  const { name, environment, properties } = await synthesize({ env: {} });
  expect(name).toBe('payments-dev');
  expect(environment).toBe('aws://unknown-account/unknown-region');
  expect(properties.terminationProtection).toBe(false);
});

test('the environment names a stage, and the command line overrides it', async () => {
  expect(await synthesize({ env: { STAGE: 'blue' } })).toMatchObject({ name: 'payments-blue' });
  expect(await synthesize({ stage: 'red', env: { STAGE: 'blue' } })).toMatchObject({ name: 'payments-red' });
});

test('the stage called production is protected', async () => {
  const { name, properties } = await synthesize({ stage: 'production' });
  expect(name).toBe('payments-production');
  expect(properties.terminationProtection).toBe(true);
});

test.each([{}, { credentials: 'cli' }])(
  'production shares no bucket and no role of a bootstrap: %o',
  async (context) => {
    const [own = new Set<string>(), ...theirs] = await Promise.all(
      ['production', 'dev', 'preproduction'].map(async (stage) =>
        bootstrapNames(await synthesize({ stage, context })),
      ),
    );
    const assets = [...own].filter((name) => name.includes('-assets-'));
    expect(assets).toHaveLength(1);
    const shared = new Set(theirs.flatMap((names) => [...names]));
    expect(shared.size).toBeGreaterThan(0);
    expect([...own].filter((name) => shared.has(name))).toEqual([]);
  },
);

test('a stage has the test kit, and production only where its operator says so', async () => {
  const hasTestKit = async (chosen: Chosen) => {
    const { paths } = await synthesize(chosen);
    expect(paths).toContain('/api/v1/payments');
    return paths.some((each) => each.startsWith('/api/v1/test'));
  };
  const having: Chosen[] = [{}, { stage: 'production', context: { testKit: 'on' } }];
  const lacking: Chosen[] = [{ stage: 'production' }, { env: { TEST_KIT: 'off' } }];
  expect(await Promise.all(having.map(hasTestKit))).toEqual(having.map(() => true));
  expect(await Promise.all(lacking.map(hasTestKit))).toEqual(lacking.map(() => false));
});

test('the template keeps the rules of CloudFormation that can be checked without an account', async () => {
  // CDK ends with an error where it does not.
  await synthesize({ env: { CDK_VALIDATION: 'true' } });
});

/** What of the bootstrap a stack and its assets name: buckets, repositories, roles and the parameter of its version. */
function bootstrapNames({ asText }: Awaited<ReturnType<typeof synthesize>>): Set<string> {
  return new Set(asText.match(/cdk-\w+-(?:[a-z-]+-role|assets|container-assets)-|\/cdk-bootstrap\/\w+/g));
}

interface Chosen {
  readonly stage?: string;
  readonly context?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const synthesized = new Map<string, ReturnType<typeof runApp>>();

/** What is synthesized for a choice: a synthesis takes seconds, so that each is made once. */
function synthesize(chosen: Chosen): ReturnType<typeof runApp> {
  const name = JSON.stringify([chosen.stage, chosen.context ?? {}, chosen.env ?? {}]);
  const result = synthesized.get(name) ?? runApp(chosen);
  synthesized.set(name, result);
  return result;
}

/** Runs infra/aws/app.ts as `cdk` does, without bundling. Checks the template only if the caller requests it. */
async function runApp({ stage, context: given, env = {} }: Chosen) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-app-'));
  const context = { ...cdk.context, ...given, ...(stage && { stage }), 'aws:cdk:bundling-stacks': [] };
  try {
    await promisify(execFile)(process.execPath, ['infra/aws/app.ts'], {
      env: {
        CDK_VALIDATION: 'false',
        // Otherwise each run compiles CDK again.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
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
    const template = JSON.parse(await readFile(path.join(dir, `${stack.name}.template.json`), 'utf8'));
    const resources: { Type: string; Properties: { Body?: { paths: object } } }[] = Object.values(
      template.Resources,
    );
    const api = resources.find(({ Type }) => Type === 'AWS::ApiGateway::RestApi');
    const assets = await readFile(path.join(dir, `${stack.name}.assets.json`), 'utf8');
    const asText = `${JSON.stringify(artifacts)} ${assets} ${JSON.stringify(template.Parameters)}`;
    return { ...stack, asText, paths: Object.keys(api?.Properties.Body?.paths ?? {}) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
