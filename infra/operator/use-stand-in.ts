import { standsInForAws } from '../aws/app-settings.ts';
import { API_ID_PLACE } from '../aws/base-url.ts';

/** What LocalStack and MiniStack take without an account. */
const REGION = 'us-east-1';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
/** Both answer here. */
const HEALTH = '/_localstack/health';
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Makes everything that this process does and starts use a target that stands in for AWS: the SDK, CDK, and the table.
 * @throws Error where it is AWS, or nothing of this kind responds there
 */
export async function useStandIn(endpoint: string): Promise<void> {
  if (!standsInForAws({ AWS_ENDPOINT_URL: endpoint })) {
    throw new Error(`${endpoint} is AWS itself, which takes no --target: leave it out.`);
  }
  const target = endpoint.replace(/\/+$/, '');
  if (!(await isStandIn(target))) {
    throw new Error(
      `Nothing that stands in for AWS responds at ${target}. Start LocalStack or MiniStack: infra/ci-localstack.md says how.`,
    );
  }
  const { env } = process;
  for (const name of Object.keys(env).filter((each) => each.startsWith('AWS_ENDPOINT_URL_'))) {
    // It would lead one service elsewhere: the table of a local service is often named so.
    delete env[name];
  }
  env.AWS_ENDPOINT_URL = target;
  env.AWS_REGION ??= REGION;
  if (env.AWS_ACCESS_KEY_ID === undefined && env.AWS_PROFILE === undefined) {
    Object.assign(env, CREDENTIALS);
  }
  env.AWS_EC2_METADATA_DISABLED = 'true';
  // By a host name, CDK would put that of a bucket before it, which a stand-in takes for no bucket.
  env.CDK_S3_FORCE_PATH_STYLE = '1';
}

/** What CDK has to know of a stage at a stand-in: its address, which no gateway there tells a function. */
export function contextAt(endpoint: string): string[] {
  const target = endpoint.replace(/\/+$/, '');
  const baseUrl = `${target}/_aws/execute-api/${API_ID_PLACE}/api`;
  // The caller's own credentials: where policies are enforced, CDK's roles may not see the bucket of the bootstrap.
  return ['-c', `baseUrl=${baseUrl}`, '-c', 'credentials=cli'];
}

function isStandIn(target: string): Promise<boolean> {
  return fetch(`${target}${HEALTH}`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
