import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { parse } from 'yaml';
import { copyCheckout } from '../support/tools/checkout-copy.ts';
import { runStep } from '../support/tools/run-step.ts';

type Steps = readonly { readonly id?: string; readonly run?: string }[];

/**
 * Deploys a stage into a new account by the commands of the workflow's jobs, in a copy of the checkout: the first ones
 * build it without credentials, as the job `assembly` does, and the others deploy it.
 * @param forCdk what this target needs beside
 * @throws Error where the account had the role for API Gateway's logs before, or has none afterwards
 */
export async function deployAsCi(branch: string, forCdk: readonly string[]): Promise<void> {
  const { assembly, deploy } = await readJobs();
  if (await hasLogsRole()) {
    throw new Error('The account is not new: its gateway may write logs.');
  }
  const outputs = await mkdtemp(path.join(tmpdir(), 'payments-ci-'));
  try {
    await using copy = await copyCheckout();
    const run = (command: string, env: NodeJS.ProcessEnv) =>
      runStep(command, copy.folder, { HOME: String(process.env.HOME), ...(env as Record<string, string>) });
    const GITHUB_OUTPUT = path.join(outputs, 'outputs');
    await run(stepOf(assembly, /name-stage/), { GITHUB_REF_NAME: branch, GITHUB_OUTPUT });
    const { stage } = await readOutputs(GITHUB_OUTPUT);
    await run(`${stepOf(assembly, /^npm run synth$/)} -- ${forCdk.join(' ')}`, { STAGE: stage });
    await run(stepOf(assembly, /assembly\.tar/), { GITHUB_OUTPUT });
    const { digest } = await readOutputs(GITHUB_OUTPUT);
    await run(stepOf(deploy, /^\.ci\/unpack /), { DIGEST: digest });
    await run(stepOf(deploy, /deploy/), { ...process.env, STAGE: stage });
  } finally {
    await rm(outputs, { recursive: true });
  }
  if (!(await hasLogsRole())) {
    throw new Error(
      "The pipeline has deployed no role for API Gateway's logs, so AWS would have refused the stage.",
    );
  }
}

async function readJobs() {
  const { jobs } = parse(await readFile('.github/workflows/ci.yml', 'utf8')) as {
    jobs: Record<'assembly' | 'deploy', { steps: Steps }>;
  };
  return { assembly: jobs.assembly.steps, deploy: jobs.deploy.steps };
}

function stepOf(steps: Steps, pattern: RegExp): string {
  const found = steps.flatMap(({ run }) => run ?? []).find((run) => pattern.test(run));
  if (found === undefined) {
    throw new Error(`The workflow has no step like ${pattern}.`);
  }
  return found;
}

async function readOutputs(file: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
}

async function hasLogsRole(): Promise<boolean> {
  // Made here, since the environment names the target only now.
  const { cloudwatchRoleArn } = await new APIGatewayClient().send(new GetAccountCommand());
  return cloudwatchRoleArn !== undefined;
}
