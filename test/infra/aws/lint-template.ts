import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Finding } from '../../document/finding.ts';
import { installPythonRequirements } from '../../support/tools/python-package.ts';
import { runCommand } from '../../support/tools/run-command.ts';

/** Templates by the name of their stack. */
type Templates = Readonly<Record<string, object>>;

interface CfnLintMatch {
  readonly Rule: { readonly Id: string };
  readonly Filename: string;
  readonly Location: { readonly Path: readonly (string | number)[] };
  readonly Message: string;
}

/** What cfn-lint finds, which has AWS's own schemas of each type of resource. */
export async function lintByCfnLint(templates: Templates): Promise<Finding[]> {
  const stdout = await runJudge('cfn-lint', templates, (files) => [
    '--format=json',
    '--non-zero-exit-code=none',
    ...files,
  ]);
  return (JSON.parse(stdout) as CfnLintMatch[]).map(({ Rule, Filename, Location, Message }) => ({
    rule: Rule.Id,
    where: `${path.basename(Filename, '.json')}: ${Location.Path.join('.')}`,
    message: Message,
  }));
}

interface CheckovReport {
  readonly results: {
    readonly failed_checks: readonly {
      readonly check_id: string;
      readonly check_name: string;
      readonly file_path: string;
      readonly resource: string;
    }[];
  };
}

/** What checkov finds, by its policies for CloudFormation. It asks nothing of its makers. */
export async function lintByCheckov(templates: Templates): Promise<Finding[]> {
  const stdout = await runJudge('checkov', templates, (files) => [
    '--framework=cloudformation',
    '--output=json',
    '--compact',
    '--quiet',
    '--soft-fail',
    '--skip-download',
    ...files.flatMap((file) => ['--file', file]),
  ]);
  const { results } = JSON.parse(stdout) as CheckovReport;
  return results.failed_checks.map(({ check_id, check_name, file_path, resource }) => ({
    rule: check_id,
    where: `${path.basename(file_path, '.json')}: ${resource}`,
    message: check_name,
  }));
}

async function runJudge(
  name: string,
  templates: Templates,
  argumentsFor: (files: readonly string[]) => readonly string[],
): Promise<string> {
  const requirements = path.join(import.meta.dirname, name, 'requirements.txt');
  const venv = await installPythonRequirements(requirements);
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-templates-'));
  try {
    const files = Object.entries(templates).map(async ([stack, template]) => {
      const file = path.join(dir, `${stack}.json`);
      await writeFile(file, JSON.stringify(template));
      return file;
    });
    const args = argumentsFor(await Promise.all(files));
    return (await runCommand(path.join(venv, 'bin', name), args)).stdout;
  } finally {
    await rm(dir, { recursive: true });
  }
}
