import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

interface AccountBudgetProps {
  readonly dollarsPerMonth: number;
  readonly email: string;
}

/** When somebody is told: at a share of the budget that was spent, and once the whole month is likely to exceed it. */
const NOTIFICATIONS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/** Tells somebody when the account, with everything in it, costs more than it should in a month. It stops nothing. */
export class AccountBudget extends Construct {
  constructor(scope: Construct, id: string, { dollarsPerMonth, email }: AccountBudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Monthly', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollarsPerMonth, unit: 'USD' },
      },
      notificationsWithSubscribers: NOTIFICATIONS.map((when) => ({
        notification: { ...when, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
