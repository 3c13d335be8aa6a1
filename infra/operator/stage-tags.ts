import type { Stack } from '@aws-sdk/client-cloudformation';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { BRANCH_TAG, END_TAG, OWNER_TAG, STAGE_TAG } from '../aws/stage.ts';
import { localUser } from '../machine/local-user.ts';
import { runGit } from './branches.ts';

/** Whose a stage is, and until when: so that somebody can remove it who did not make it. */
export interface StageFacts {
  readonly stage: string;
  readonly branch: string | null;
  readonly owner: string | null;
  /** As a timestamp. */
  readonly endsAt: string | null;
}

const TAGS = { stage: STAGE_TAG, branch: BRANCH_TAG, owner: OWNER_TAG, endsAt: END_TAG } as const;
/** What AWS takes in the value of a tag, without `=`, at which CDK splits. */
const NO_TAG_CHARACTER = /[^\p{L}\p{N} _.:/+\-@]/gu;
const TAG_CHARS_MAX = 256;

/** A text as the value of a tag can hold it: what becomes of a branch's name that has other characters. */
export function asTagValue(text: string): string {
  return text.replace(NO_TAG_CHARACTER, '-').slice(0, TAG_CHARS_MAX);
}

/** As options of CDK, which then takes no others: CloudFormation puts them on everything in the stack. */
export function tagOptions(facts: StageFacts): string[] {
  return Object.entries(TAGS).flatMap(([name, tag]) => {
    const value = facts[name as keyof StageFacts];
    return value === null ? [] : ['--tags', `${tag}=${asTagValue(value)}`];
  });
}

/** Null for the stack of another program. */
export function readFacts(stack: Stack): StageFacts | null {
  const read = (tag: string) => stack.Tags?.find(({ Key }) => Key === tag)?.Value ?? null;
  const stage = read(STAGE_TAG);
  return stage === null
    ? null
    : { stage, branch: read(BRANCH_TAG), owner: read(OWNER_TAG), endsAt: read(END_TAG) };
}

/** Who deploys: of a pipeline the one who started it, else the name that git has, else the user of this machine. */
export function whoDeploys({ GITHUB_ACTOR, GITLAB_USER_LOGIN }: NodeJS.ProcessEnv): string {
  return GITHUB_ACTOR || GITLAB_USER_LOGIN || runGit('config', 'user.name') || localUser();
}

/** At the next midnight (UTC): another tag with each deployment would change everything in the stack. */
export function endAfter(ttlSeconds: number, nowMs: number): string {
  const endMs = Math.ceil((nowMs + ttlSeconds * 1_000) / DAY_MS) * DAY_MS;
  return new Date(endMs).toISOString();
}
