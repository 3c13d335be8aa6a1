import { copyCheckout } from '../support/tools/checkout-copy.ts';
import { runStep } from '../support/tools/run-step.ts';
import { readPipelines } from './read-pipelines.ts';

/** Its stage is removed by the last of the commands. */
export const PAGE_BRANCH = 'feature/page';

/**
 * Runs what infra/ci-localstack.md gives pipelines to copy, at a target that runs here: one command makes a stage, a
 * request proves it, one removes it.
 * @throws Error where one of them fails
 */
export async function expectPageRuns(endpoint: string): Promise<void> {
  await using copy = await copyCheckout();
  const { github } = await readPipelines();
  const env = { HOME: String(process.env.HOME), TARGET: endpoint, BRANCH: PAGE_BRANCH };
  for (const command of github.commands.filter(
    (each) => each.includes('$TARGET') || each.includes('stage.json'),
  )) {
    await runStep(command, copy.folder, env);
  }
}
