import { isProduction } from '../aws/stage.ts';
import { asTagValue, type StageFacts } from './stage-tags.ts';

/** A stage as far as it says whether somebody still needs it. */
interface StageAge extends StageFacts {
  /** When it was deployed last. */
  readonly deployedAtMs: number;
  readonly isProtected: boolean;
}

/** What makes a stage one that may be removed; of several, each does. */
export interface RemovalChoice {
  readonly olderThanMs?: number | undefined;
  readonly isEnded?: boolean;
  /** The branches that are still there. */
  readonly branches?: ReadonlySet<string> | undefined;
}

/** Why a stage may be removed, in phrases: none where it may not. Production never may, nor may what is protected. */
export function whyRemovable(stage: StageAge, choice: RemovalChoice, nowMs: number): string[] {
  const { deployedAtMs, isProtected, branch, endsAt } = stage;
  const { olderThanMs, isEnded = false, branches } = choice;
  if (isProtected || isProduction(stage.stage)) {
    return [];
  }
  const isOld = olderThanMs !== undefined && nowMs - deployedAtMs > olderThanMs;
  const isOver = isEnded && endsAt !== null && Date.parse(endsAt) <= nowMs;
  // A stage without this tag was made by hand: it has no branch that could be gone.
  const isLeft = branches !== undefined && branch !== null && !namesOf(branches).has(branch);
  return [
    ...(isOld ? [`not deployed since ${new Date(deployedAtMs).toISOString().slice(0, 10)}`] : []),
    ...(isOver ? [`its end was ${endsAt.slice(0, 10)}`] : []),
    ...(isLeft ? [`its branch ${branch} is gone`] : []),
  ];
}

function namesOf(branches: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...branches].map(asTagValue));
}
