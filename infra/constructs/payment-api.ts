import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, ResourceBase, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { functionNameOf, type StorageAccess } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';
import { answerOwnProblems } from './gateway-problems.ts';
import { PaymentFunction } from './payment-function.ts';

const STAGE_NAME = 'api';

interface PaymentApiProps {
  readonly table: Table;
  readonly removalPolicy: RemovalPolicy;
}

/** A route and a function for every operation, and one function for whatever else is asked. */
export class PaymentApi extends RestApi {
  /** Where the service answers, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { table, removalPolicy }: PaymentApiProps) {
    super(scope, id, {
      restApiName: Stack.of(scope).stackName,
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName: STAGE_NAME },
      // It would be one setting for the whole account and region, which other stages share.
      cloudWatchRole: false,
    });
    const { region, urlSuffix } = Stack.of(this);
    this.baseUrl = `https://${this.restApiId}.execute-api.${region}.${urlSuffix}/${STAGE_NAME}`;
    const addFunction = (name: string, access: StorageAccess, timeoutSeconds?: number) => {
      const added = new PaymentFunction(this, name, { removalPolicy, timeoutSeconds });
      added.bindTable(table, access);
      return added;
    };

    for (const row of allOperations) {
      const operation = addFunction(functionNameOf(row), row.storage, row.timeoutSeconds);
      this.root
        .resourceForPath(row.path)
        .addMethod(row.method, new LambdaIntegration(operation, { allowTestInvoke: false }));
    }

    this.root.resourceForPath('{proxy+}');
    // One permission for the whole API: one for each method would outgrow what a function's policy can hold (20 KB).
    const unknownRoute = new LambdaIntegration(addFunction(UNKNOWN_ROUTE_FUNCTION, 'none'), {
      scopePermissionToMethod: false,
    });
    // Every resource, those on the way to an operation too: API Gateway does not look further than the best match.
    for (const resource of this.node.findAll().filter((child) => child instanceof ResourceBase)) {
      resource.addMethod('ANY', unknownRoute);
    }
    answerOwnProblems(this);
  }
}
