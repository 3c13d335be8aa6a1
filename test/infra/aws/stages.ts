import type { Template } from 'aws-cdk-lib/assertions';
import { functionNameOf, type Operation } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { paymentOperations } from '../../../shared/contract/payments.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { synthesized } from './synthesized.ts';

export const WORKERS = [
  'clock-tick',
  'job-runner',
  'live-dispatcher',
  'live-job-runner',
  'deliverer',
  'live-deliverer',
];

/** Takes smoke payments, in production alone. */
export const SMOKING = ['smoke', 'check-api', 'check-workers'];

export const OWN_ANSWERS = 'x-amazon-apigateway-gateway-responses';
/** All that API Gateway has. */
export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Everything that a deployment can choose, in one stage. */
export const ORIGIN = { STRIPE_API_URL: 'http://127.0.0.1:12111' };
const CHOSEN = {
  isProduction: false,
  baseUrl: 'http://127.0.0.1:4566/restapis/{apiId}/api/_user_request_',
  gateway: 'stand-in',
} as const;

export const { stack, template, functionIds } = synthesized({ isProduction: false });
export const production = synthesized({ isProduction: true });
export const chosen = synthesized(CHOSEN, ORIGIN);
export const longer = synthesized({ isProduction: true, operations: hundredOperations() });
export const everyTemplate = [template, production.template];
export const rows = allOperations.map((row) => ({ ...row, name: functionNameOf(row) }));
export const functionNames = [...functionIds.keys()];
export const roles = Map.groupBy(functionNames, (name) => functionOf(name).Role['Fn::GetAtt'][0] as string);

export const gateway = documentOf(template);

/** The table of operations with another method of its first one, and with more, each with reads of its own. */
function hundredOperations(): readonly Operation[] {
  const [first, ...rest] = allOperations;
  const read = ['payment', 'refund', 'paymentLink', 'payout', 'settlement', 'endpoint', 'sink'] as const;
  const more = Array.from(
    { length: 100 - allOperations.length },
    (_, number): Operation => ({
      ...paymentOperations.getPayment,
      id: `payments.GetThing${number}`,
      path: `/api/v1/things${number}/{id}`,
      reads: read.filter((_name, index) => ((number + 3) >> index) % 2 === 1),
    }),
  );
  return [{ ...(first as Operation), method: 'PATCH' }, ...rest, ...more];
}

/** The definition of the service for API Gateway. */
interface GatewayDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly 'x-amazon-apigateway-integration': {
              readonly uri: { 'Fn::Join': [string, { 'Fn::GetAtt'?: string[] }[]] };
              readonly credentials: object;
            };
          }
        >
      >
    >
  >;
  readonly [OWN_ANSWERS]: Readonly<
    Record<
      string,
      {
        readonly statusCode: string;
        readonly responseParameters: Readonly<Record<string, string>>;
        readonly responseTemplates: Readonly<Record<string, string>>;
      }
    >
  >;
}

export function documentOf(each: Template): GatewayDocument {
  return Object.values(resourcesOf(each, 'AWS::ApiGateway::RestApi'))[0]?.Properties.Body;
}

export function idsOf(type: string, each: Template = template): string[] {
  return Object.keys(resourcesOf(each, type));
}

/** The logical id that a reference means: its resource, or one of its attributes. */
export function idOf(reference: { Ref?: string; 'Fn::GetAtt'?: string[] }): string | undefined {
  return reference.Ref ?? reference['Fn::GetAtt']?.[0];
}

export function functionOf(name: string, each: Template = template) {
  return resourcesOf(each, 'AWS::Lambda::Function')[functionIds.get(name) ?? '']?.Properties;
}

export function variablesOf(name: string, each: Template = template): Readonly<Record<string, unknown>> {
  return functionOf(name, each).Environment?.Variables ?? {};
}

/** The values of a variable, of all functions that have it. */
export function valuesOf(variable: string, each: Template = template): unknown[] {
  return Object.values(resourcesOf(each, 'AWS::Lambda::Function')).flatMap(
    ({ Properties }) => Properties.Environment?.Variables?.[variable] ?? [],
  );
}

/** What a role may do, in itself and by the policies of this stack that it has: there are no others. */
export function statementsOfRole(roleId: string): { actions: string[]; arns: unknown[] }[] {
  const { Policies = [], ManagedPolicyArns = [] } =
    resourcesOf(template, 'AWS::IAM::Role')[roleId]?.Properties ?? {};
  const managed = ManagedPolicyArns.map(
    ({ Ref }: { Ref: string }) => resourcesOf(template, 'AWS::IAM::ManagedPolicy')[Ref]?.Properties,
  );
  return [...Policies, ...managed].flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.map(
      ({ Action, Resource }: { Action: string | string[]; Resource: unknown }) => ({
        actions: [Action].flat(),
        arns: [Resource].flat(),
      }),
    ),
  );
}
