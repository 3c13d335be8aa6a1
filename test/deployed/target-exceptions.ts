import path from 'node:path';
import { allOperations } from '../../shared/contract/operations.ts';
import { isHealthy, isMiniStackAt } from './ministack.ts';

/** What a target does otherwise than AWS, and what the tests there make of it. */
export interface TargetException {
  readonly reason: string;
  /** The contract tests of a file that are not run there: those whose whole name this matches. */
  readonly notRun?: { readonly file: string; readonly named: RegExp };
  /** How the name of what is left there after a stage begins, in an inventory. */
  readonly left?: string;
}

const withFormBodies = allOperations.filter(
  ({ idempotent, method }) => idempotent && (method === 'PATCH' || method === 'DELETE'),
);

/** LocalStack community 4.14.0, which enforces no policy, as tried in November 2026. MiniStack's are in contract-tests.ts. */
export const LOCALSTACK_EXCEPTIONS: readonly TargetException[] = [
  {
    reason: 'its gateway sends base64 on as text, so a stage there compresses nothing',
    notRun: { file: 'compression.test.ts', named: / is compressed\b/ },
  },
  {
    reason: 'its gateway drops form bodies of PATCH and DELETE before a function sees them',
    notRun: {
      file: 'every-operation.test.ts',
      named: new RegExp(`^(${withFormBodies.map(({ id }) => id).join('|')}) refuses a bad body`),
    },
  },
  {
    reason:
      'its gateway parses the form bodies of POST and writes them anew, so what was wrong in them is lost',
    notRun: { file: 'bodies.test.ts', named: /^a payer's form with / },
  },
  {
    reason:
      'its gateway has responses of its own for what it refuses itself, no throttle and no access log: no test asks for them',
  },
  {
    reason:
      'it ignores where a function is to log, and makes a log group for each function by itself, which no stack owns: the command that removes a stage removes them',
  },
];

/** A test, as vitest lists it. */
export interface NamedTest {
  /** Path. */
  readonly file: string;
  /** With the names of its groups before it. */
  readonly name: string;
}

export function isNotRun({ notRun }: TargetException, { file, name }: NamedTest): boolean {
  return (
    notRun !== undefined &&
    path.basename(file) === notRun.file &&
    notRun.named.test(name.replaceAll(' > ', ' '))
  );
}

/**
 * Prints what is left, by the exceptions that say so.
 * @throws Error where more is left, or nothing of what an exception says: then it can be dropped
 */
export function expectLeftAsSaid(left: readonly string[], exceptions: readonly TargetException[]): void {
  let unexplained = left;
  for (const { left: beginning, reason } of exceptions) {
    if (beginning !== undefined) {
      const others = unexplained.filter((item) => !item.startsWith(beginning));
      console.log(`  Left: ${unexplained.length - others.length} × ${beginning}…: ${reason}.`);
      if (others.length === unexplained.length) {
        throw new Error(`Nothing that begins with "${beginning}" is left any more: drop the exception.`);
      }
      unexplained = others;
    }
  }
  if (unexplained.length > 0) {
    throw new Error(`left behind:\n  ${unexplained.join('\n  ')}`);
  }
}

/** What is otherwise than in AWS at a target that was not started here. */
export async function exceptionsAt(endpoint: string): Promise<readonly TargetException[]> {
  const isLocalStack =
    !(await isMiniStackAt(endpoint)) && (await isHealthy(`${endpoint}/_localstack/health`));
  return isLocalStack ? LOCALSTACK_EXCEPTIONS : [];
}
