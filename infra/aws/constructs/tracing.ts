import { Stack } from 'aws-cdk-lib';
import type { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { type CfnFunction, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import type { TracesChoice } from '../traces.ts';
import { type PaymentApi, STAGE_NAME } from './payment-api.ts';
import { PaymentFunction } from './payment-function.ts';

/** Of the requests beyond one a second, this share is recorded in production: X-Ray's price is by the trace. */
const SAMPLED_SHARE = 0.05;
/** Before X-Ray's own rule for everything, which has 10,000. */
const PRIORITY = 1_000;
/** What starts OpenTelemetry before the function: of AWS's distribution, and of all other layers. */
const WRAPPERS = { aws: '/opt/otel-instrument', others: '/opt/otel-handler' } as const;

interface TracingProps {
  readonly api: PaymentApi;
  readonly traces: TracesChoice;
  readonly isProduction: boolean;
}

/** Lets the gateway and every function of a stage be recorded. Without it, traces go on and are recorded nowhere. */
export class Tracing extends Construct {
  constructor(scope: Construct, id: string, { api, traces, isProduction }: TracingProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const functions = stack.node.findAll().filter((child) => child instanceof PaymentFunction);
    if (traces.kind === 'xray') {
      (api.gateway.deploymentStage.node.defaultChild as CfnStage).tracingEnabled = true;
      for (const each of functions) {
        // Not the property of CDK, which would add a policy of its own to each role.
        (each.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
        each.ownRole.mayTrace();
      }
      this.#sample(isProduction ? SAMPLED_SHARE : 1);
    }
    if (traces.kind === 'otlp') {
      const layer = LayerVersion.fromLayerVersionArn(this, 'Layer', traces.layer);
      const variables = otlpVariables(traces, stack.stackName, isProduction);
      for (const each of functions) {
        each.addLayers(layer);
        for (const [name, value] of Object.entries(variables)) {
          each.addEnvironment(name, value);
        }
      }
    }
  }

  /** The gateway decides for a request, and what it calls follows. Workers have Lambda's own rate. */
  #sample(fixedRate: number): void {
    const { stackName } = Stack.of(this);
    new CfnSamplingRule(this, 'Sampling', {
      samplingRule: {
        ruleName: stackName.slice(0, 32),
        serviceName: `${stackName}/${STAGE_NAME}`,
        serviceType: 'AWS::ApiGateway::Stage',
        fixedRate,
        reservoirSize: 1,
        priority: PRIORITY,
        host: '*',
        httpMethod: '*',
        resourceArn: '*',
        urlPath: '*',
        version: 1,
      },
    });
  }
}

function otlpVariables(
  { layer, endpoint }: Extract<TracesChoice, { kind: 'otlp' }>,
  serviceName: string,
  isProduction: boolean,
): Readonly<Record<string, string>> {
  return {
    AWS_LAMBDA_EXEC_WRAPPER: /AWSOpenTelemetryDistro/.test(layer) ? WRAPPERS.aws : WRAPPERS.others,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: serviceName,
    OTEL_PROPAGATORS: 'tracecontext',
    // The functions make the spans of requests and calls themselves.
    OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'aws-lambda',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(isProduction ? SAMPLED_SHARE : 1),
  };
}
