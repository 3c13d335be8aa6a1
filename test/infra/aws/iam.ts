/** What IAM checks for one call, or for one part of a batch or a transaction. */
export interface IamRequest {
  readonly action: string;
  readonly resource: string;
  /** Condition keys of this request; one that is not here is absent, as it would be in AWS. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

export interface IamStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/**
 * Decides as IAM does for the statements of this service: a matching Deny wins, then a matching Allow, else no.
 * @param nameOf a resource of a template as its name in a request
 * @throws Error for every unknown element: an unreadable policy cannot be judged
 */
export function isAllowed(
  statements: readonly IamStatement[],
  request: IamRequest,
  nameOf: (resource: unknown) => string,
): boolean {
  const effects = statements
    .filter((statement) => applies(statement, request, nameOf))
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

const KNOWN_MEMBERS = new Set(['Effect', 'Action', 'Resource', 'Condition', 'Sid']);

function applies(
  statement: IamStatement,
  { action, resource, context }: IamRequest,
  nameOf: (resource: unknown) => string,
): boolean {
  const unknown = Object.keys(statement).filter((name) => !KNOWN_MEMBERS.has(name));
  if (unknown.length > 0 || !['Allow', 'Deny'].includes(statement.Effect)) {
    throw new Error(`a statement with ${unknown.join(', ') || statement.Effect} is not understood`);
  }
  const { Action, Resource, Condition = {} } = statement;
  // Evaluates every condition, so that an unknown one is found even if another one already fails.
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => holds(operator, context[key], [values].flat())),
  );
  return (
    [Action].flat().some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase())) &&
    [Resource].flat().some((pattern) => isLike(nameOf(pattern), resource)) &&
    conditions.every(Boolean)
  );
}

const COMPARISONS: Readonly<Record<string, (pattern: string, value: string) => boolean>> = {
  StringEquals: (expected, value) => expected === value,
  StringLike: isLike,
};

/** IAM's rules for an absent key: `ForAllValues` and `…IfExists` hold, `ForAnyValue` and the bare operator do not. */
function holds(
  operator: string,
  values: readonly string[] | undefined,
  expected: readonly string[],
): boolean {
  const [, set = '', name = '', ifExists = ''] =
    /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/.exec(operator) ?? [];
  const compare = COMPARISONS[name];
  if (compare === undefined) {
    throw new Error(`the condition operator ${operator} is not understood`);
  }
  const isMet = (value: string) => expected.some((pattern) => compare(pattern, value));
  if (values === undefined || values.length === 0) {
    return set === 'ForAllValues' || ifExists !== '';
  }
  if (set === '' && values.length > 1) {
    throw new Error(`${operator} is not for a condition key of several values`);
  }
  return set === 'ForAnyValue' ? values.some(isMet) : values.every(isMet);
}

const expressions = new Map<string, RegExp>();

/** `*` is any text, `?` one character; everything else is itself. */
function isLike(pattern: string, text: string): boolean {
  const known = expressions.get(pattern);
  if (known !== undefined) {
    return known.test(text);
  }
  const parts = [...pattern].map((sign) =>
    sign === '*' ? '[^]*' : sign === '?' ? '[^]' : sign.replace(/[\\^$.|+()[\]{}]/, '\\$&'),
  );
  const expression = new RegExp(`^${parts.join('')}$`);
  expressions.set(pattern, expression);
  return expression.test(text);
}
