import type { TestProject } from 'vitest/node';
import type { ServiceFile } from './host.ts';

/** The environment variable that gives the tests of a deployment its address: a `ServiceFile` as JSON. */
export const DEPLOYED_SERVICE_VARIABLE = 'DEPLOYED_SERVICE';

/** Gives the tests a deployed service in place of a local host. */
export default function setup(project: TestProject): void {
  const service = process.env[DEPLOYED_SERVICE_VARIABLE];
  if (service === undefined) {
    throw new Error('Run "npm run test:deployed", which deploys a service first.');
  }
  project.provide('service', { ...(JSON.parse(service) as ServiceFile), dir: '', secretsFolder: '' });
}
