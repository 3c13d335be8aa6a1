import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { STACK, synthesized } from './synthesized.ts';

const LAYER = 'arn:aws:lambda:ap-southeast-1:184161586896:layer:opentelemetry-nodejs-0_19_0:1';
const OTLP = { kind: 'otlp', layer: LAYER, endpoint: 'https://otel.example.com:4318' } as const;
const XRAY = { kind: 'xray' } as const;

const functionsOf = (template: Template) => Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
const layersOf = (template: Template) =>
  functionsOf(template).flatMap(({ Properties }) => Properties.Layers ?? []);
const variablesOf = (template: Template) =>
  functionsOf(template).map(({ Properties }) => Properties.Environment?.Variables ?? {});
const stageOf = (template: Template) =>
  Object.values(resourcesOf(template, 'AWS::ApiGateway::Stage'))[0]?.Properties;

/** By role of a function: what it may do at X-Ray. */
function tracingOf(template: Template): string[][] {
  const roles = resourcesOf(template, 'AWS::IAM::Role');
  const used = new Set(
    functionsOf(template).map(({ Properties }) => Properties.Role['Fn::GetAtt'][0] as string),
  );
  return [...used].map((id) =>
    roles[id]?.Properties.Policies.flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: { Action: string | string[] }[] } }) =>
        PolicyDocument.Statement.flatMap(({ Action }) => [Action].flat()),
    ).filter((action: string) => action.startsWith('xray:')),
  );
}

describe('a stage that nobody records', () => {
  test('has no layer, no permission at X-Ray and no setting of OpenTelemetry', () => {
    const { template } = synthesized({ isProduction: false });
    expect(layersOf(template)).toEqual([]);
    expect(tracingOf(template).flat()).toEqual([]);
    expect(functionsOf(template).filter(({ Properties }) => Properties.TracingConfig !== undefined)).toEqual(
      [],
    );
    expect(stageOf(template)?.TracingEnabled).toBeUndefined();
    expect(JSON.stringify(variablesOf(template))).not.toContain('OTEL_');
  });
});

describe('a stage that X-Ray records', () => {
  test.each([
    [true, 0.05],
    [false, 1],
  ])(
    'in production: %s, has %d of its requests recorded, by gateway and functions',
    (isProduction, share) => {
      const { template } = synthesized({ isProduction, traces: XRAY });
      const modes = functionsOf(template).map(({ Properties }) => Properties.TracingConfig?.Mode);
      expect(new Set(modes)).toEqual(new Set(['Active']));
      expect(stageOf(template)?.TracingEnabled).toBe(true);
      const [rule] = Object.values(resourcesOf(template, 'AWS::XRay::SamplingRule'));
      expect(rule?.Properties.SamplingRule).toMatchObject({
        ServiceName: `${STACK}/api`,
        ServiceType: 'AWS::ApiGateway::Stage',
        FixedRate: share,
      });
    },
  );

  test('lets each role send traces, once, and its functions have no layer', () => {
    const { template } = synthesized({ isProduction: false, traces: XRAY });
    const both = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    expect(tracingOf(template)).toEqual(tracingOf(template).map(() => both));
    expect(layersOf(template)).toEqual([]);
  });
});

describe('a stage that sends its traces by OTLP', () => {
  test('has the layer at each function, which starts it, and sends where it was told', () => {
    const { template } = synthesized({ isProduction: true, traces: OTLP });
    expect(functionsOf(template).map(({ Properties }) => Properties.Layers)).toEqual(
      functionsOf(template).map(() => [LAYER]),
    );
    for (const variables of variablesOf(template)) {
      expect(variables).toMatchObject({
        AWS_LAMBDA_EXEC_WRAPPER: '/opt/otel-handler',
        OTEL_EXPORTER_OTLP_ENDPOINT: OTLP.endpoint,
        OTEL_PROPAGATORS: 'tracecontext',
        OTEL_SERVICE_NAME: STACK,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.05',
      });
    }
    expect(tracingOf(template).flat()).toEqual([]);
  });

  test("starts AWS's own layer by its own wrapper", () => {
    const layer = 'arn:aws:lambda:ap-southeast-1:615299751070:layer:AWSOpenTelemetryDistroJs:10';
    const { template } = synthesized({ isProduction: false, traces: { ...OTLP, layer } });
    expect(new Set(variablesOf(template).map((its) => its.AWS_LAMBDA_EXEC_WRAPPER))).toEqual(
      new Set(['/opt/otel-instrument']),
    );
  });
});
