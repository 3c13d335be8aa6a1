interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The id of every operation of an OpenAPI document. */
export function operationIdsOf(document: string): string[] {
  const { paths } = JSON.parse(document) as Document;
  return Object.values(paths).flatMap((item) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([, operation]) => (operation as { operationId: string }).operationId),
  );
}

/** The operations that a client lacks: languages spell them differently, with the same letters. */
export function missingOf(operationIds: readonly string[], names: readonly string[]): string[] {
  const generated = new Set(names.map(lettersOf));
  return operationIds.filter((id) => !generated.has(lettersOf(id)));
}

function lettersOf(name: string): string {
  return name.replaceAll(/[._]/g, '').toLowerCase();
}
