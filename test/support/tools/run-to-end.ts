import { execFile } from 'node:child_process';

export interface EndedProgram {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this repository, such as `infra/pg/pg.ts`, and says how it ended. */
export function runToEnd(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout = 0,
): Promise<EndedProgram> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { env, timeout }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}
