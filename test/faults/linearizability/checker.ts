import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedFolder } from '../../support/tools/cached-folder.ts';
import { LOCKED_GO_ENV } from '../../support/tools/go.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import { type Model, type Recorded, writeRecording } from './recording.ts';

const SOURCE = path.join(import.meta.dirname, 'checker');
const BINARY = 'linearizability-checker';

/** The verdict on one history. */
export interface Judgement {
  readonly history: string;
  readonly model: Model;
  readonly operations: number;
  /** How many of them have an unknown end. */
  readonly unknowns: number;
  /** `undecided` if the time was too short. */
  readonly verdict: 'legal' | 'illegal' | 'undecided';
  readonly tookMs: number;
}

export interface Judged {
  readonly judgements: readonly Judgement[];
  /** The shortest prefixes of histories that cannot be explained. */
  readonly explanation: string;
}

export interface Checking {
  /** How many illegal histories are explained. */
  readonly show?: number;
  /** Where the recording is kept; by default it is not kept. */
  readonly file?: string;
}

/** @returns the program, built now unless it was already built from these sources */
export async function buildChecker(): Promise<string> {
  const files = globSync('{*.go,go.mod,go.sum}', { cwd: SOURCE }).toSorted();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(file).update(await readFile(path.join(SOURCE, file)));
  }
  const name = `${BINARY}-${hash.digest('hex').slice(0, 12)}`;
  return path.join(await cachedFolder(name, build), BINARY);
}

async function build(folder: string): Promise<void> {
  await runCommand('go', ['build', '-o', path.join(folder, BINARY), '.'], {
    cwd: SOURCE,
    env: LOCKED_GO_ENV,
  });
}

/** Judges histories. */
export async function check(
  checker: string,
  operations: readonly Recorded[],
  { show = 3, file }: Checking = {},
): Promise<Judged> {
  const folder = await mkdtemp(path.join(tmpdir(), 'payments-linearizability-'));
  try {
    const recording = file ?? path.join(folder, 'recording.jsonl');
    await writeRecording(recording, operations);
    const { stdout, stderr } = await runCommand(checker, ['-show', String(show), recording]);
    return { judgements: JSON.parse(stdout), explanation: stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
