import { createHash } from 'node:crypto';

/*
 * A stage is one isolated copy of the service: a branch's, or production. Its name is part of the name of everything
 * that it consists of.
 */

const STACK_PREFIX = 'payments-';
/** Physical names carry the stack's name, and the shortest limit of them is 64 characters. */
const STAGE_CHARS_MAX = 28;
const STAGE = new RegExp(`^[a-z](?:[a-z0-9-]{0,${STAGE_CHARS_MAX - 2}}[a-z0-9])?$`);
const HASH_CHARS = 6;
/** Their data must outlive a mistake. Every other stage is for tests, and leaves nothing behind. */
const PRODUCTION_STAGES: ReadonlySet<string> = new Set(['production', 'prod']);

/**
 * The name as a stage's.
 * @throws Error for what cannot be one: it is not bent into shape, since two names could then meet
 */
export function readStage(name: string): string {
  if (!STAGE.test(name)) {
    throw new Error(
      `A stage is named by 1 to ${STAGE_CHARS_MAX} small letters, digits and dashes, beginning with a letter.`,
    );
  }
  return name;
}

/**
 * The stage of a git branch. A name that has to be changed gets a part of its hash, so that no two branches share a
 * stage; and only a branch that is called like production is production.
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

/** What the command line says of a stage: its name, or the branch whose stage is meant. */
export interface StageChoice {
  readonly stage?: string | undefined;
  readonly branch?: string | undefined;
}

/** The stage that is meant, or null where nothing was said. */
export function chosenStage({ stage, branch }: StageChoice): string | null {
  if (stage !== undefined) {
    return readStage(stage);
  }
  return branch === undefined ? null : stageOfBranch(branch);
}

export function isProduction(stage: string): boolean {
  return PRODUCTION_STAGES.has(stage);
}

/**
 * What `cdk bootstrap` makes for a stage is named by this: its bucket, its roles and its version. Production has its own,
 * for whoever deploys test stages may write that bucket and take on those roles. Null for CDK's own name.
 */
export function bootstrapQualifierOf(stage: string): string | null {
  return isProduction(stage) ? 'payprod' : null;
}

export function stackNameOf(stage: string): string {
  return `${STACK_PREFIX}${stage}`;
}

export function isProductionStack(stackName: string): boolean {
  return [...PRODUCTION_STAGES].some((stage) => stackNameOf(stage) === stackName);
}

/** How the names of a stage's secrets begin, which are those of live worlds at their providers. */
export function secretsPrefixOf(stackName: string): string {
  return `${stackName}/providers/`;
}

/** What all stages of an account and region share. No stage's stack can be called so. */
export const GATEWAY_LOGS_STACK = 'gateway-logs-of-payments';

/** Every stack, and everything in it, says by this tag which stage it belongs to. */
export const STAGE_TAG = 'payments:stage';
