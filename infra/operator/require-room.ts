import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { StageTemplate } from './stage-template.ts';

/** What Lambda keeps unreserved for the functions that reserve nothing: it refuses a reservation beyond. */
const UNRESERVED_MIN = 100;

/** How much an account has left of what a deployment may run out of; undefined where these credentials may not ask. */
interface AccountRoom {
  readonly concurrency: number | undefined;
  readonly unreserved: number | undefined;
  readonly roles: number | undefined;
  readonly rolesQuota: number | undefined;
}

/**
 * Refuses what CloudFormation would fail on after minutes, and would then take as long to undo.
 * @returns what could not be checked
 * @throws Error that says what is missing, and how to get it
 */
export async function requireRoom(before: StageTemplate, after: StageTemplate): Promise<string[]> {
  const room = await readRoom();
  const missing = [missingConcurrency(room, before, after), missingRoles(room, before, after)];
  const found = missing.filter((each) => each !== null);
  if (found.length > 0) {
    throw new Error(found.join('\n'));
  }
  return [
    ...(room.unreserved === undefined && reservedIn(after) > 0
      ? ['Not checked: whether the account has the concurrency (lambda:GetAccountSettings is not allowed).']
      : []),
    ...(room.roles === undefined
      ? ['Not checked: whether the account has room for the roles (iam:GetAccountSummary is not allowed).']
      : []),
  ];
}

async function readRoom(): Promise<AccountRoom> {
  const [lambda, iam] = await Promise.all([
    new LambdaClient().send(new GetAccountSettingsCommand()).catch(() => null),
    new IAMClient().send(new GetAccountSummaryCommand()).catch(() => null),
  ]);
  return {
    concurrency: lambda?.AccountLimit?.ConcurrentExecutions,
    unreserved: lambda?.AccountLimit?.UnreservedConcurrentExecutions,
    roles: iam?.SummaryMap?.Roles,
    rolesQuota: iam?.SummaryMap?.RolesQuota,
  };
}

function missingConcurrency(
  { concurrency, unreserved }: AccountRoom,
  before: StageTemplate,
  after: StageTemplate,
): string | null {
  const more = reservedIn(after) - reservedIn(before);
  if (unreserved === undefined || more <= 0 || unreserved - more >= UNRESERVED_MIN) {
    return null;
  }
  const needed = Number(concurrency) + UNRESERVED_MIN + more - unreserved;
  return `This stage reserves ${more} more concurrent runs of functions, and ${UNRESERVED_MIN} have to stay unreserved: of ${concurrency}, the account has ${unreserved} left. Request ${needed} from AWS (Service Quotas, AWS Lambda, Concurrent executions).`;
}

function missingRoles(
  { roles, rolesQuota }: AccountRoom,
  before: StageTemplate,
  after: StageTemplate,
): string | null {
  const more = rolesIn(after) - rolesIn(before);
  if (roles === undefined || rolesQuota === undefined || more <= 0 || roles + more <= rolesQuota) {
    return null;
  }
  return `This stage takes ${more} more roles, and the account has ${roles} of ${rolesQuota}. Remove stages ("pg admin stages" lists them), or request more from AWS (Service Quotas, IAM, Roles per account).`;
}

function reservedIn({ Resources }: StageTemplate): number {
  return Object.values(Resources).reduce(
    (sum, { Properties }) => sum + Number(Properties?.ReservedConcurrentExecutions ?? 0),
    0,
  );
}

function rolesIn({ Resources }: StageTemplate): number {
  return Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role').length;
}
