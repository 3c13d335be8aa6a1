import type { Template } from 'aws-cdk-lib/assertions';

type Resource = Readonly<{
  Type: string;
  Properties?: Readonly<Record<string, unknown>>;
  DeletionPolicy?: string;
}>;

/** What other tests look at, and what changes with every bundle: the code, the routes, the policies of roles. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::Function': ['Code'],
  'AWS::ApiGateway::RestApi': ['Body'],
  'AWS::IAM::Role': ['Policies'],
  'AWS::CloudWatch::Dashboard': ['DashboardBody'],
};

/**
 * A template as text: a paragraph for each set of resources that differ in nothing but their ids, with their
 * properties below. References and joined texts are written as `<Id.Attribute>`, and ids without their hashes.
 */
export function describeTemplate(template: Template): string[] {
  const resources = Object.entries<Resource>(template.toJSON().Resources);
  const described = resources.map(([id, { Type, Properties = {}, DeletionPolicy }]) => {
    const own = Object.entries({ ...Properties, ...(DeletionPolicy && { DeletionPolicy }) })
      .filter(([name]) => !LEFT_OUT[Type]?.includes(name))
      .map(([name, value]) => `  ${name}: ${withoutHashes(JSON.stringify(plainly(value)))}`);
    return { id: withoutHashes(id), what: [Type, ...own.toSorted()].join('\n') };
  });
  const alike = Map.groupBy(described, ({ what }) => what);
  return [...alike]
    .map(
      ([what, all]) =>
        `${all
          .map(({ id }) => id)
          .toSorted()
          .join(' ')}\n  ${what}`,
    )
    .toSorted();
}

/** A value of a template as text, with its references as `<Id.Attribute>`. */
export function textOf(value: unknown): string {
  const plain = plainly(value);
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

function plainly(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plainly);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(attribute)) {
    return `<${attribute.join('.')}>`;
  }
  if (Array.isArray(joined)) {
    return (joined[1] as unknown[]).map(textOf).join(String(joined[0]));
  }
  return typeof Ref === 'string'
    ? `<${Ref}>`
    : Object.fromEntries(Object.entries(value).map(([name, held]) => [name, plainly(held)]));
}

/** The end of a logical id, and the longer one of a deployment, which changes with the routes. */
function withoutHashes(text: string): string {
  return text.replace(/([A-Za-z])(?:[0-9a-f]{32}|[0-9A-F]{8}(?:[0-9a-f]{32})?)\b/g, '$1');
}
