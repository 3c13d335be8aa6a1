import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';

/** The part of CloudFormation's template that is read here. */
export interface StageTemplate {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export const NO_TEMPLATE: StageTemplate = { Resources: {} };

/** @param assembly the folder that CDK wrote */
export async function readBuiltTemplate(assembly: string, stackName: string): Promise<StageTemplate> {
  return JSON.parse(await readFile(path.join(assembly, `${stackName}.template.json`), 'utf8'));
}

/** What is deployed of a stack; nothing where AWS does not show it as CDK has written it. */
export async function readDeployedTemplate(StackName: string): Promise<StageTemplate> {
  const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' });
  try {
    const { TemplateBody = '{}' } = await new CloudFormationClient().send(command);
    return { ...NO_TEMPLATE, ...JSON.parse(TemplateBody) };
  } catch {
    return NO_TEMPLATE;
  }
}
