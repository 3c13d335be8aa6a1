import type { TestProject } from 'vitest/node';
import { exceptionsAt, type TargetException } from '../../deployed/target-exceptions.ts';
import type { ServiceFile } from './host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    exceptions: readonly TargetException[];
  }
}

/** The environment variable that gives the tests of a deployment its address: a `ServiceFile` as JSON. */
export const DEPLOYED_SERVICE_VARIABLE = 'DEPLOYED_SERVICE';

/** Gives the tests a deployed service instead of a local host, and what is otherwise at its target. */
export default async function setup(project: TestProject): Promise<void> {
  const service = process.env[DEPLOYED_SERVICE_VARIABLE];
  if (service === undefined) {
    throw new Error('Run "npm run test:deployed", which deploys a service first.');
  }
  project.provide('service', { ...(JSON.parse(service) as ServiceFile), dir: '', secretsFolder: '' });
  project.provide('exceptions', await exceptionsAt(String(process.env.AWS_ENDPOINT_URL)));
}
