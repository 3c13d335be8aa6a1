import { deployStage } from './deploy-stage.ts';
import { call, type Stage } from './stage.ts';

/** @throws Error where a second deployment makes another stage, or no key, or ends the first key */
export async function expectUpdated(stage: Stage, branch: string, forCdk: readonly string[]): Promise<void> {
  const { stage: again, said } = await deployStage(stage.dynamodbEndpoint, branch, forCdk);
  const answers = await Promise.all([stage, again].map((each) => call(each, 'GET', '/key')));
  const isUpdated =
    again.tableName === stage.tableName &&
    again.baseUrl === stage.baseUrl &&
    again.key !== stage.key &&
    said.includes('No resource changes.') &&
    answers.every(({ status }) => status === 200);
  if (!isUpdated) {
    throw new Error(
      `the stage is another one, or lacks a key: ${JSON.stringify({ stage, again, answers })}\n${said}`,
    );
  }
}
