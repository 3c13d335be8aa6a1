import { Alias, type IVersion } from 'aws-cdk-lib/aws-lambda';
import type { PaymentFunction } from './payment-function.ts';

/**
 * What callers of a function call in production, in place of its newest code: the version that has proven itself, and
 * for a share of the calls the one that is on trial. See `canary.ts`.
 */
export class LiveAlias extends Alias {
  constructor(of: PaymentFunction) {
    super(of, 'Live', { aliasName: 'live', version: of.currentVersion as IVersion });
  }
}
