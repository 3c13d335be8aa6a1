import type { SchemaInDocument } from '../../shared/contract/openapi-document.ts';

/** A schema of the document as an exported type. */
export function printNamed(name: string, schema: SchemaInDocument): string {
  const declared =
    schema.properties === undefined
      ? `type ${name} = ${printType(schema)};`
      : `interface ${name} ${printType(schema)}`;
  return `${printDocs(schema.description)}export ${declared}\n`;
}

/**
 * A schema in TypeScript. References keep their names of the document.
 * @throws Error for a schema with unsupported keywords
 */
export function printType(schema: SchemaInDocument, indent = ''): string {
  const { $ref, type, enum: values, properties, additionalProperties, items, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    return refName($ref);
  }
  if (values !== undefined) {
    return values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');
  }
  if (properties !== undefined) {
    return printObject(schema, indent);
  }
  const choice = anyOf ?? oneOf;
  if (choice !== undefined) {
    return choice.map((one) => printType(one, indent)).join(' | ');
  }
  switch (type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `Array<${printType(items ?? {}, indent)}>`;
    case 'object':
      return typeof additionalProperties === 'object'
        ? `Record<string, ${printType(additionalProperties, indent)}>`
        : 'Record<string, unknown>';
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** A doc comment with its line break; empty if there is no text. */
export function printDocs(text: string | undefined, indent = ''): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

/** `#/components/schemas/Payment` → `Payment`. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** An optional field may also be undefined: it is not sent then. */
function printObject({ properties = {}, required = [] }: SchemaInDocument, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const [mark, more] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return `${printDocs(field.description, inner)}${inner}${name}${mark}: ${printType(field, inner)}${more};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}
