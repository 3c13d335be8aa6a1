import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { requireVariable } from '../../shared/environment/variables.ts';
import { checkNewVersions } from '../../shared/flows/smoke/check-new-versions.ts';
import { type HookEvent, reportToCodeDeploy } from '../../shared/flows/smoke/report-to-codedeploy.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { readSmokeKey } from '../../shared/store/worlds/smoke-key.ts';

const [lambda, codeDeploy] = [new LambdaClient(), new CodeDeployClient()];

/** CodeDeploy calls it before a new version gets any traffic, once for each function. */
export const handler = serveWorker('check-new-versions', (event: HookEvent) =>
  reportToCodeDeploy(codeDeploy, event, async () => {
    const versions = new Map(Object.entries<string>(JSON.parse(requireVariable('newVersions'))));
    await checkNewVersions(lambda, { versions, ...(await readSmokeKey()) });
  }),
);
