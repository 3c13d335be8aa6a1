import { ArnFormat, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { INDEXES, TABLE } from '../../../shared/store/table/table.ts';
import { formatTableChoice, type TableChoice } from '../table-choice.ts';

interface PaymentTableProps {
  /** Whether it can be restored to any second of the last 35 days, and cannot be deleted by mistake. */
  readonly isProtected: boolean;
  readonly removalPolicy: RemovalPolicy;
}

/** The table of a stage: its own, or a chosen one that exists, which the stack uses and never deletes. */
export function tableOf(scope: Construct, props: PaymentTableProps, chosen?: TableChoice): ITable {
  if (chosen === undefined) {
    return new PaymentTable(scope, 'Table', props) as ITable;
  }
  return Table.fromTableAttributes(scope, 'RestoredTable', {
    tableName: chosen.name,
    tableStreamArn: Stack.of(scope).formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: formatTableChoice(chosen),
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    }),
  });
}

/** The one table, as `shared/store/table/table.ts` describes it. */
class PaymentTable extends Table {
  constructor(scope: Construct, id: string, { isProtected, removalPolicy }: PaymentTableProps) {
    super(scope, id, {
      ...keysOf(TABLE),
      timeToLiveAttribute: TABLE.ttl,
      billingMode: BillingMode.PAY_PER_REQUEST,
      // The key that AWS owns: no charge and no KMS quota per request. A key of the account would add an audit trail of
      // its uses, but no protection from anyone who may read the table.
      encryption: TableEncryption.DEFAULT,
      // Jobs are items: the stream starts the job runner for a new one, so that no request has to call it.
      stream: StreamViewType.NEW_IMAGE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected },
      deletionProtection: isProtected,
      removalPolicy,
    });
    for (const [indexName, keys] of Object.entries(INDEXES)) {
      this.addGlobalSecondaryIndex({
        indexName,
        ...keysOf(keys),
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
  }
}

function keysOf({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}
