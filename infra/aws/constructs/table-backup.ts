import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/** At night in Thailand. */
const EVERY_NIGHT = Schedule.cron({ hour: '18', minute: '30' });
/** As long as the table can be restored to any second. */
const KEPT_HERE = Duration.days(35);
/** As long as events are kept, so that a loss is noticed before its last copy ends. */
const KEPT_THERE = Duration.days(395);

interface TableBackupProps {
  readonly table: ITable;
  /** The vault that gets the copies: of another account, so that who can delete everything here cannot delete them. */
  readonly copiesTo: string;
  readonly kmsKey: string | undefined;
  readonly removalPolicy: RemovalPolicy;
}

/** A copy of the table each night, here and out of the account. */
export class TableBackup extends Construct {
  constructor(scope: Construct, id: string, { table, copiesTo, kmsKey, removalPolicy }: TableBackupProps) {
    super(scope, id);
    const backupVault = new BackupVault(this, 'Vault', {
      removalPolicy,
      ...(kmsKey !== undefined && { encryptionKey: Key.fromKeyArn(this, 'Key', kmsKey) }),
    });
    const plan = new BackupPlan(this, 'Plan', { backupVault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'nightly',
        scheduleExpression: EVERY_NIGHT,
        deleteAfter: KEPT_HERE,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Elsewhere', copiesTo),
            deleteAfter: KEPT_THERE,
          },
        ],
      }),
    );
    plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)] });
  }
}
