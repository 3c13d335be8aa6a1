import { AssertionError } from 'node:assert';
import { operations } from '../../shared/contract/operations.ts';
import { type Command, callOf, type Answer as ModelAnswer } from '../faults/model/commands.ts';
import { expectAgreement, Model, predict, verdictOf } from '../faults/model/model.ts';
import type { Step } from './plan.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './simulated-client.ts';

/** What is due so soon could happen during a call: the clock is moved past it first. */
const SOON_MS = 10_000;
const MOVE_SECONDS = 11;

/** A merchant with one client, whose requests go one by one: every answer is as a small model says. */
export async function liveAlone(
  scene: Scene,
  steps: readonly Step[],
  sinkId: string,
  isLeftOut: (step: Step) => boolean,
): Promise<void> {
  const model = new Model(sinkId);
  for (const step of steps) {
    scene.step = step;
    if (!('kind' in step.action) || isLeftOut(step)) {
      continue;
    }
    try {
      for (let moves = 0; model.nextJobAtMs < model.nowMs + SOON_MS; moves += 1) {
        await act(scene, model, { kind: 'advance', args: { seconds: MOVE_SECONDS } }, `move ${moves}`);
      }
      await act(scene, model, step.action);
      await expectAgreement(model, scene.client.client);
    } catch (error) {
      if (!(error instanceof AssertionError)) {
        throw error;
      }
      scene.watch.break('model', `${step.action.kind} ${JSON.stringify(step.action.args)}: ${error.message}`);
      return;
    }
  }
}

async function act(scene: Scene, model: Model, command: Command, part?: string): Promise<void> {
  const call = callOf(command, model);
  if (call === null) {
    return;
  }
  const answer = asModel(
    part === undefined
      ? await scene.callCommand(call)
      : await scene.call(operations.advanceClock, 'body' in call ? { body: call.body } : {}, part),
    'form' in call,
  );
  model.noteClock(answer);
  const [said, predicted] = [verdictOf(answer), predict(model, command, answer)];
  if (said !== predicted) {
    throw new AssertionError({ message: `answered ${said}, where ${predicted} is right` });
  }
}

function asModel({ status, headers, body, json }: Answer, isForm: boolean): ModelAnswer {
  return { status, headers: new Headers(headers), text: isForm ? String(headers.location) : body, json };
}
