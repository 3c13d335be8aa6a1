import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

interface Pipeline {
  readonly text: string;
  readonly commands: readonly string[];
}

/** The two files that infra/ci-localstack.md gives to copy, and the commands in each. */
export async function readPipelines(): Promise<{ readonly github: Pipeline; readonly gitlab: Pipeline }> {
  const page = await readFile('infra/ci-localstack.md', 'utf8');
  const [github = '', gitlab = ''] = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) =>
    String(text),
  );
  const { jobs } = parse(github) as { jobs: Record<string, { steps: { run?: string }[] }> };
  const { stage } = parse(gitlab) as { stage: Record<'before_script' | 'script' | 'after_script', string[]> };
  return {
    github: {
      text: github,
      commands: Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? [])),
    },
    gitlab: { text: gitlab, commands: [...stage.before_script, ...stage.script, ...stage.after_script] },
  };
}
