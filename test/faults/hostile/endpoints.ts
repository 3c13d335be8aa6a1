/** The words of JSON schema that the document uses. */
export interface Schema {
  readonly type?: 'object' | 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array';
  readonly enum?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly propertyNames?: Schema;
  readonly not?: { readonly enum: readonly string[] };
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
}

/** One operation, as the document that the service serves describes it. */
export interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isKeyed: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly body: Schema | null;
  readonly example: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, Schema>>;
  /** The fields of a form, which the description names. */
  readonly formFields: readonly string[];
  /** The problems that each status may report. */
  readonly problems: ReadonlyMap<number, readonly string[]>;
  /** The statuses of responses that are no problems. */
  readonly otherStatuses: readonly number[];
}

interface Described {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { in?: string; name?: string; $ref?: string; schema?: Schema }[];
  readonly requestBody?: { content: Record<string, { schema: { $ref: string }; example?: object }> };
  readonly responses: Readonly<Record<string, { content: Record<string, { examples?: object }> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const PROBLEM = 'application/problem+json';

/** Every operation of the document that a running service serves. */
export async function readEndpoints(baseUrl: string): Promise<Endpoint[]> {
  const answer = await fetch(`${baseUrl}/api/v1/openapi.json`);
  const { paths, components } = (await answer.json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId, description = '', security, parameters, requestBody, responses } = described;
      const json = requestBody?.content['application/json'];
      const answers = Object.entries(responses).flatMap(([status, { content }]) =>
        statusesOf(status).map((one) => ({
          status: one,
          problems: Object.keys(content[PROBLEM]?.examples ?? {}),
          isOther: Object.keys(content).some((mediaType) => mediaType !== PROBLEM),
        })),
      );
      return {
        name: operationId,
        method: method.toUpperCase(),
        path,
        isKeyed: security === undefined,
        takesIdempotencyKey: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
        body: json === undefined ? null : resolve(json.schema, components.schemas),
        example: { ...json?.example },
        query: Object.fromEntries(
          parameters.flatMap(({ in: location, name = '', schema }) =>
            location === 'query' && schema !== undefined ? [[name, resolve(schema, components.schemas)]] : [],
          ),
        ),
        formFields: description.startsWith('A form:') ? namesIn(description) : [],
        problems: new Map(
          answers.flatMap(({ status, problems }) => (problems.length > 0 ? [[status, problems]] : [])),
        ),
        otherStatuses: answers.filter(({ isOther }) => isOther).map(({ status }) => status),
      };
    }),
  );
}

function namesIn(description: string): string[] {
  return [...description.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '');
}

/** `410` is itself, `4XX` stands for all that begin so. */
function statusesOf(status: string): number[] {
  const [hundreds = ''] = status;
  return status.endsWith('XX')
    ? Array.from({ length: 100 }, (_, ones) => Number(hundreds) * 100 + ones)
    : [Number(status)];
}

/** A schema with every schema that it refers inlined. */
function resolve<Part>(part: Part, schemas: Document['components']['schemas']): Schema & Part {
  const inner = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) {
      return part;
    }
    if (Array.isArray(part)) {
      return part.map(inner);
    }
    const { $ref, ...said } = part as { $ref?: string };
    const own = Object.entries(said).map(([word, value]) => [word, inner(value)]);
    const referred = $ref === undefined ? {} : inner(schemas[lastWord($ref)]);
    return { ...(referred as object), ...Object.fromEntries(own) };
  };
  return inner(part) as Schema & Part;
}

function lastWord(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
