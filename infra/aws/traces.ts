/** Who records the traces of a stage: nobody, AWS X-Ray, or a layer that sends them by OTLP. */
const TRACES = ['off', 'xray', 'otlp'] as const;

export type TracesChoice =
  | { readonly kind: 'off' | 'xray' }
  | {
      readonly kind: 'otlp';
      /** The ARN of a version of a layer with OpenTelemetry's SDK for Node. */
      readonly layer: string;
      /** Where the layer sends spans. */
      readonly endpoint: string;
    };

const LAYER = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:layer:[A-Za-z0-9_-]+:\d+$/;

/**
 * @param context as CDK was given it
 * @param isProduction decides where nothing was chosen: production is recorded by X-Ray, a test stage by nobody
 * @throws Error with a sentence for the operator
 */
export function readTraces(context: Readonly<Record<string, unknown>>, isProduction: boolean): TracesChoice {
  const { traces = isProduction ? 'xray' : 'off', otlpLayer, otlpEndpoint } = context;
  const kind = TRACES.find((each) => each === traces);
  if (kind === undefined) {
    throw new Error(`traces takes ${TRACES.join(', ')}, not "${traces}".`);
  }
  if (kind !== 'otlp') {
    if (otlpLayer !== undefined || otlpEndpoint !== undefined) {
      throw new Error('otlpLayer and otlpEndpoint belong to -c traces=otlp.');
    }
    return { kind };
  }
  if (!LAYER.test(String(otlpLayer ?? ''))) {
    throw new Error(
      'traces=otlp needs otlpLayer, the ARN of a version of an OpenTelemetry layer: arn:aws:lambda:REGION:ACCOUNT:layer:NAME:1.',
    );
  }
  const url = URL.parse(String(otlpEndpoint ?? ''));
  // The environment of a function can be read by whoever may see the function.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error(
      'traces=otlp needs otlpEndpoint, an address without a password: https://otel.example.com:4318.',
    );
  }
  return { kind, layer: String(otlpLayer), endpoint: String(otlpEndpoint) };
}
