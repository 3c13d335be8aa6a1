import { NO_GO } from './go.ts';

/** Why tests may be skipped. */
export interface ListedSkip {
  /** Matches the path of their file. */
  readonly files: RegExp;
  /** Matches their names, with those of their groups: by default, all of the file. */
  readonly tests?: RegExp;
  readonly reason: string;
  /** CI may skip them too. Not where a tool is missing: `.ci/tools` installs it. */
  readonly inCi?: true;
}

/** Every test that is ever skipped. */
export const LISTED_SKIPS: readonly ListedSkip[] = [
  { files: /\.stripe\.test\.ts$|^test\/faults\/(live|linearizability)\//, reason: NO_GO },
  { files: /^test\/contract\/released\.slow\.test\.ts$/, reason: NO_GO },
  { files: /^test\/infra\/workflow-lint\.slow\.test\.ts$/, tests: /^actionlint/, reason: NO_GO },
  {
    files: /\.browser\.test\.ts$|^test\/client\/installed\.slow\.test\.ts$/,
    reason: 'No Chromium is installed: .ci/tools installs one',
  },
  {
    files: /^test\/infra\/pg\/completion\.slow\.test\.ts$/,
    tests: /\b(in a real (bash|zsh)|completes in fish)\b/,
    reason: 'This shell, or Python, is not installed: .ci/tools installs them',
  },
  {
    files: /^test\/recipes\/recipes\.slow\.test\.ts$/,
    tests: /\bfor (PHP|Sinatra) passes\b/,
    reason: 'PHP or Ruby is not installed: .ci/tools installs them at night',
  },
  {
    files: /^test\/recipes\/recipes\.slow\.test\.ts$/,
    tests: /\bfor Laravel passes\b/,
    reason: 'Laravel is not installed: .ci/tools installs it at night where the system has a package of it',
    inCi: true,
  },
  {
    files: /^test\/infra\/pg\/live-key\.slow\.test\.ts$/,
    tests: /\basks once at a terminal\b/,
    reason: 'The program "script" of util-linux is not installed',
  },
  {
    files: /^test\/infra\/local\/dynamodb-local\.slow\.test\.ts$/,
    reason: "AWS's engine is not installed: npm run test:engine installs it, and runs this test",
    inCi: true,
  },
  {
    files: /^test\/simulation\/differential\.slow\.test\.ts$/,
    tests: /\btwo engines\b/,
    reason: "Java or Maven is not installed, for AWS's engine: .ci/tools installs them",
  },
  {
    files: /^test\/infra\/local\/data-folder\.slow\.test\.ts$/,
    tests: /\bfull\b/,
    reason: 'The kernel lets this user mount no disk',
    inCi: true,
  },
  {
    files: /^test\/infra\/local\/reachability\.browser\.test\.ts$/,
    tests: /^pg start --lan/,
    reason: 'The kernel gives this user no network of its own',
    inCi: true,
  },
  {
    files: /^test\/infra\/local\/engine\.slow\.test\.ts$/,
    tests: /\bkeeps its data in memory\b/,
    reason: 'The disk in memory, /dev/shm, has less than 1 GiB',
    inCi: true,
  },
  {
    files: /^test\/infra\/local\/start\.slow\.test\.ts$/,
    tests: /\bthe thread of clock and jobs crashes\b/,
    reason: 'With one processor there is no such thread',
    inCi: true,
  },
];
