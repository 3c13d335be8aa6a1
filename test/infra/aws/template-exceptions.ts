import type { Exception } from '../../document/finding.ts';

/* Accepted findings in the templates, each with its reason. One that explains nothing any more fails its test. */

export const CFN_LINT_EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'W3005',
    where: /: Resources\.\w+\.DependsOn\.\d+$/,
    reason: 'CDK writes that a function depends on its role, as on all that the role needs. It does no harm.',
  },
];

export const CHECKOV_EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'CKV_AWS_119',
    where: /: AWS::DynamoDB::Table\.Table/,
    reason:
      'The key that AWS owns encrypts the table. A key of ours would protect it from nobody who may read the table.',
  },
  {
    rule: 'CKV_AWS_28',
    where: /^payments-test: AWS::DynamoDB::Table\.Table/,
    reason: 'A test stage holds nothing that anybody would restore.',
  },
  {
    rule: 'CKV_AWS_158',
    where: /: AWS::Logs::LogGroup\./,
    reason:
      'CloudWatch encrypts every log with keys of its own, and no log holds a key or a text about a payer.',
  },
  {
    rule: 'CKV_AWS_173',
    where: /: AWS::Lambda::Function\./,
    reason: 'Lambda encrypts variables with a key of its own, and none of them is a secret.',
  },
  {
    rule: 'CKV_AWS_116',
    where: /: AWS::Lambda::Function\./,
    reason:
      'A caller of the API waits for its answer. Workers have a destination for failures, which the rule does not read.',
  },
  {
    rule: 'CKV_AWS_117',
    where: /: AWS::Lambda::Function\./,
    reason:
      'No function reaches anything in a private network; IAM guards the table, the bus and the secrets.',
  },
  {
    rule: 'CKV_AWS_115',
    where: /^payments-production: AWS::Lambda::Function\.Api/,
    reason: 'The throttle limits these, and a reservation for each would take its share from all others.',
  },
  {
    rule: 'CKV_AWS_115',
    where: /^payments-test: AWS::Lambda::Function\./,
    reason: 'A new account may run ten functions at once in all: a reservation would fail the deployment.',
  },
  {
    rule: 'CKV_AWS_73',
    where: /: AWS::ApiGateway::Stage\./,
    reason:
      'Nobody records the traces of this stage. They go on from a request to its webhooks, and their ids are in the log.',
  },
  {
    rule: 'CKV_AWS_120',
    where: /: AWS::ApiGateway::Stage\./,
    reason: 'An answer belongs to one key and is true when it is sent, so nothing is cached.',
  },
  {
    rule: 'CKV_AWS_27',
    where: /: AWS::SQS::Queue\.ClockAndJobs/,
    reason:
      'SQS encrypts each queue with a key of its own (SqsManagedSseEnabled), which the rule does not read.',
  },
  {
    rule: 'CKV_AWS_26',
    where: /: AWS::SNS::Topic\.Observability(?:Alarms|Tickets)/,
    reason: 'A message tells of an alarm, of no payment, and a lost key of ours would silence every alarm.',
  },
];
