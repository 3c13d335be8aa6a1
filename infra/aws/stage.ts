import { createHash } from 'node:crypto';

/*
 * A stage is one isolated copy of the service: for a branch, or for production. Its name is part of the names of all
 * its resources.
 */

const STACK_PREFIX = 'payments-';
/** Physical names carry the stack's name, and the shortest limit of them is 64 characters. */
const STAGE_CHARS_MAX = 28;
const STAGE = new RegExp(`^[a-z](?:[a-z0-9-]{0,${STAGE_CHARS_MAX - 2}}[a-z0-9])?$`);
const HASH_CHARS = 6;
/** The stage whose data is protected from deletion by mistake. Every other stage is for tests, and keeps nothing. */
const PRODUCTION = 'production';
/** A name that people give to production. */
const MISTAKEN = 'prod';

/**
 * Validates the name of a stage.
 * @throws Error for an invalid name: it is not corrected, since two names could then become the same
 */
export function readStage(name: string): string {
  if (!STAGE.test(name)) {
    throw new Error(
      `A stage is named by 1 to ${STAGE_CHARS_MAX} small letters, digits and dashes, beginning with a letter.`,
    );
  }
  if (name === MISTAKEN) {
    throw new Error(`Production is called "${PRODUCTION}". A stage "${MISTAKEN}" would protect nothing.`);
  }
  return name;
}

/**
 * The stage of a git branch. A name that has to be changed gets a part of its hash, so that no two branches share a
 * stage. Only the branch with the exact name of production is production.
 */
export function stageOfBranch(branch: string): string {
  if (STAGE.test(branch)) {
    return branch;
  }
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, HASH_CHARS);
  const words = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '');
  const slug = words.slice(0, STAGE_CHARS_MAX - HASH_CHARS - 1).replace(/-+$/, '');
  return slug === '' ? `branch-${hash}` : `${slug}-${hash}`;
}

/** The options that choose a stage: its name, or its branch. */
export interface StageChoice {
  readonly stage?: string | undefined;
  readonly branch?: string | undefined;
}

/**
 * The chosen stage; null if no option was given.
 * @throws Error for both options: they could name two stages
 */
export function chosenStage({ stage, branch }: StageChoice): string | null {
  if (stage !== undefined && branch !== undefined) {
    throw new Error('A stage is named by --stage or by --branch, not by both.');
  }
  if (stage !== undefined) {
    return readStage(stage);
  }
  return branch === undefined ? null : stageOfBranch(branch);
}

export function isProduction(stage: string): boolean {
  return stage === PRODUCTION;
}

/**
 * The qualifier in the names of the bucket, roles and version that `cdk bootstrap` makes. Production has its own, since
 * deployers of test stages may write to their bucket and assume their roles. Null for CDK's default.
 */
export function bootstrapQualifierOf(stage: string): string | null {
  return isProduction(stage) ? 'payprod' : null;
}

export function stackNameOf(stage: string): string {
  return `${STACK_PREFIX}${stage}`;
}

export function isProductionStack(stackName: string): boolean {
  return stackName === stackNameOf(PRODUCTION);
}

/** The prefix of the names of a stage's secrets: the provider secrets of its live worlds. */
export function secretsPrefixOf(stackName: string): string {
  return `${stackName}/providers/`;
}

/** The name of the secret with the key of smoke payments. */
export function smokeKeyNameOf(stackName: string): string {
  return `${stackName}/smoke-key`;
}

/** The stack that all stages of an account and region share. No stage's stack can have this name. */
export const GATEWAY_LOGS_STACK = 'gateway-logs-of-payments';

/** The tag of every stack, and of everything in it, with the name of the stage. */
export const STAGE_TAG = 'payments:stage';
/** The tags of a stack with the branch that it is of, who deployed it, and when it may be removed. */
export const BRANCH_TAG = 'payments:branch';
export const OWNER_TAG = 'payments:owner';
export const END_TAG = 'payments:ends-at';
