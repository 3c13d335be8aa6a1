import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import { dynamodb } from '../../../shared/store/table/client.ts';

/*
 * Loaded into a host before it starts: it dies as if the power went, right before or right after a step. CRASH says
 * when: `before commit request`, or `after finish moved job 20` for the 20th of its kind.
 */

const [, moment, step, nth = 1] = /^(before|after) (\D+?)(?: (\d+))?$/.exec(String(process.env.CRASH)) ?? [];
let steps = 0;

interceptCalls(dynamodb, async (call, next) => {
  if (call.step === step) {
    steps += 1;
  }
  const isHere = call.step === step && steps === Number(nth);
  if (isHere && moment === 'before') {
    process.kill(process.pid, 'SIGKILL');
  }
  const answer = await next();
  if (isHere && moment === 'after') {
    process.kill(process.pid, 'SIGKILL');
  }
  return answer;
});
