/*
 * Decides as AWS WAF does for the statements that this service's firewall has, spelled as in CloudFormation. What it does not
 * know is an error: an unreadable rule cannot be judged.
 */

export interface FirewallRequest {
  readonly ip: string;
  /** As the client sent it, without the query. */
  readonly path: string;
  /** Names of headers in any case. A header that comes twice has two entries. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

// biome-ignore lint/suspicious/noExplicitAny: statements as CloudFormation spells them
type Statement = any;

/** What a rule counts a request with, as a text; null where the rule does not count it. */
export function countedAs({ RateBasedStatement: rate }: Statement, request: FirewallRequest): string | null {
  if (rate === undefined) {
    throw new Error('only a rule by rate counts');
  }
  if (rate.ScopeDownStatement !== undefined && !matches(rate.ScopeDownStatement, request)) {
    return null;
  }
  if (rate.AggregateKeyType === 'IP') {
    return request.ip;
  }
  if (rate.AggregateKeyType !== 'CUSTOM_KEYS') {
    throw new Error(`requests counted by ${rate.AggregateKeyType} are not understood`);
  }
  const parts = rate.CustomKeys.map(({ Header, ...others }: Statement) => {
    known(others);
    return headersOf(request, Header.Name)
      .map((value) => transformed(value, Header.TextTransformations))
      .join();
  });
  return parts.includes('') ? null : parts.join('|');
}

export function matches(statement: Statement, request: FirewallRequest): boolean {
  const [[kind, of] = ['nothing', {}], ...more] = Object.entries<Statement>(statement);
  known(Object.fromEntries(more));
  switch (kind) {
    case 'NotStatement':
      return !matches(of.Statement, request);
    case 'AndStatement':
      return of.Statements.every((each: Statement) => matches(each, request));
    case 'OrStatement':
      return of.Statements.some((each: Statement) => matches(each, request));
    case 'RegexMatchStatement':
      return valuesOf(of.FieldToMatch, request).some((value) =>
        new RegExp(of.RegexString).test(transformed(value, of.TextTransformations)),
      );
    case 'SizeConstraintStatement':
      if (of.ComparisonOperator !== 'GT') {
        throw new Error(`the comparison ${of.ComparisonOperator} is not understood`);
      }
      return valuesOf(of.FieldToMatch, request).some(
        (value) => Buffer.byteLength(transformed(value, of.TextTransformations)) > of.Size,
      );
    default:
      throw new Error(`a statement of kind ${kind} is not understood`);
  }
}

/** Every value of a field: of a header that comes twice, each. A field that is absent has none. */
function valuesOf({ UriPath, SingleHeader, ...others }: Statement, request: FirewallRequest): string[] {
  known(others);
  return UriPath === undefined ? headersOf(request, SingleHeader.Name) : [request.path];
}

function headersOf({ headers = [] }: FirewallRequest, name: string): string[] {
  return headers.flatMap(([each, value]) => (each.toLowerCase() === name.toLowerCase() ? [value] : []));
}

const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  NONE: (text) => text,
  LOWERCASE: (text) => text.toLowerCase(),
  COMPRESS_WHITE_SPACE: (text) => text.replace(/\s+/g, ' '),
};

function transformed(text: string, steps: readonly { Priority: number; Type: string }[]): string {
  return steps
    .toSorted((one, other) => one.Priority - other.Priority)
    .reduce((changed, { Type }) => {
      const change = CHANGES[Type];
      if (change === undefined) {
        throw new Error(`the change ${Type} is not understood`);
      }
      return change(changed);
    }, text);
}

function known(others: object): void {
  const names = Object.keys(others);
  if (names.length > 0) {
    throw new Error(`${names.join(', ')} is not understood`);
  }
}

/** How many of these requests, all in one window, a firewall lets through. */
export function passing(rules: readonly Statement[], requests: Iterable<FirewallRequest>): number {
  const counts = new Map<string, number>();
  let passed = 0;
  for (const request of requests) {
    let isRefused = false;
    for (const { Name, Statement } of rules.filter((rule) => rule.Statement.RateBasedStatement)) {
      const counted = countedAs(Statement, request);
      if (counted !== null) {
        const bucket = `${Name} ${counted}`;
        const count = (counts.get(bucket) ?? 0) + 1;
        counts.set(bucket, count);
        isRefused ||= count > Statement.RateBasedStatement.Limit;
      }
    }
    passed += isRefused ? 0 : 1;
  }
  return passed;
}
