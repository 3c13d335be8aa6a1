import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, type CfnElement } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import cdk from '../../../cdk.json' with { type: 'json' };
import { PaymentFunction } from '../../../infra/aws/constructs/payment-function.ts';
import { PaymentStack } from '../../../infra/aws/payment-stack.ts';

type Props = ConstructorParameters<typeof PaymentStack>[2];
type Synthesized = ReturnType<typeof synthesize>;

/** The name of every stack that is synthesized here. */
export const STACK = 'payments-test';

const known = new Map<string, Synthesized>();

/** A stage and its template, by its settings. A synthesis takes seconds, so each is made once for all files of a worker. */
export function synthesized(props: Props, context: Readonly<Record<string, string>> = {}): Synthesized {
  const key = JSON.stringify([props, context]);
  const result = known.get(key) ?? synthesize(props, context);
  known.set(key, result);
  return result;
}

function synthesize(props: Props, context: Readonly<Record<string, string>>) {
  // CDK writes its output to a folder, by default a temporary one that it never deletes.
  const outdir = mkdtempSync(path.join(tmpdir(), 'payments-stack-'));
  try {
    // Bundling takes a second for each function; bundle.slow.test.ts looks at the bundles.
    const app = new App({ outdir, context: { ...cdk.context, ...context, 'aws:cdk:bundling-stacks': [] } });
    const stack = new PaymentStack(app, STACK, props);
    const functions = stack.node.findAll().filter((child) => child instanceof PaymentFunction);
    return {
      stack,
      template: Template.fromStack(stack),
      warnings: Annotations.fromStack(stack)
        .findWarning('*', Match.anyValue())
        .map(({ entry }) => String(entry.data)),
      /** The logical ids of its functions, by their names. */
      functionIds: new Map(
        functions.map((each) => [each.node.id, stack.getLogicalId(each.node.defaultChild as CfnElement)]),
      ),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
