import {
  CloudFormationClient,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { readFacts, type StageFacts } from './stage-tags.ts';

/** Problems with an account or the connection to it, by the name of the error, and what to do about them. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(CredentialsProviderError|TokenProviderError)$/,
    'No AWS credentials were found: sign in (aws sso login), or name a profile (AWS_PROFILE).',
  ],
  [
    /^(ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch)$/,
    'The AWS credentials are invalid or expired: sign in again.',
  ],
  [
    /^(AccessDenied|AccessDeniedException|UnauthorizedOperation)$/,
    'These AWS credentials lack a permission: use a role that can deploy with CloudFormation and manage secrets in Secrets Manager.',
  ],
  [
    /^(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|TimeoutError|NetworkingError)$/,
    'AWS, or the endpoint in AWS_ENDPOINT_URL, does not respond.',
  ],
];

/** An error with a sentence of advice for an error of AWS. Other errors are returned unchanged. */
export function explain(error: unknown): Error {
  const { name, code, message } = error as Error & { code?: string };
  if (message === 'Region is missing') {
    return new Error('No AWS region is set: set AWS_REGION, or region in the profile.');
  }
  const known = ADVICE.find(([pattern]) => pattern.test(name) || pattern.test(code ?? ''));
  return known === undefined ? (error as Error) : new Error(`${known[1]} (${code ?? name})`);
}

/**
 * A stack as it is now, or null.
 * @throws Error with advice
 */
export async function findStack(name: string): Promise<Stack | null> {
  const [stack] = await describeStacks(name).catch((error: Error) => {
    // CloudFormation reports a missing stack this way.
    if (error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return [];
    }
    throw error;
  });
  return stack ?? null;
}

/** The stages that are deployed in this account and region, oldest first. */
export async function listStages(): Promise<(StageFacts & { readonly stack: Stack })[]> {
  const stages = (await describeStacks()).flatMap((stack) => {
    const facts = readFacts(stack);
    return facts === null ? [] : [{ ...facts, stack }];
  });
  return stages.toSorted((a, b) => Number(a.stack.CreationTime) - Number(b.stack.CreationTime));
}

export function outputOf(stack: Stack, key: string): string | null {
  return stack.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue ?? null;
}

/** Everything in a stack. @throws Error with advice */
export async function listResources(StackName: string): Promise<StackResourceSummary[]> {
  const resources: StackResourceSummary[] = [];
  try {
    for await (const page of paginateListStackResources(
      { client: new CloudFormationClient() },
      { StackName },
    )) {
      resources.push(...(page.StackResourceSummaries ?? []));
    }
  } catch (error) {
    throw explain(error);
  }
  return resources;
}

async function describeStacks(StackName?: string): Promise<Stack[]> {
  const stacks: Stack[] = [];
  // Made with each call: what it reaches may be set only now.
  const client = new CloudFormationClient();
  try {
    for await (const page of paginateDescribeStacks({ client }, { StackName })) {
      // A removed stack is listed where it is named by its id, and by targets that stand in for AWS.
      stacks.push(...(page.Stacks ?? []).filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE'));
    }
  } catch (error) {
    throw explain(error);
  }
  return stacks;
}
