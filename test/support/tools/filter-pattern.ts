/**
 * Whether CloudWatch counts a line: of its filter patterns for JSON, the part that is used here.
 * @throws Error for any other part
 */
export function matches(pattern: string, fields: Readonly<Record<string, unknown>>): boolean {
  const [, whole = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const decided = whole.replace(
    /\$\.(\w+) (!?=) "([^"]*)"/g,
    (_all, field: string, operator: string, expected: string) => {
      const [start = '', ...more] = expected.split('*');
      const value = String(fields[field] ?? '');
      const isLike = more.length === 0 ? value === expected : value.startsWith(start);
      return String(isLike === (operator === '='));
    },
  );
  return isTrue(decided);
}

/** A formula of `true`, `false`, `&&`, `||` and brackets, from the innermost out. */
function isTrue(formula: string): boolean {
  if (formula === 'true' || formula === 'false') {
    return formula === 'true';
  }
  const shorter = formula
    .replace(/\((true|false)\)/, '$1')
    .replace(/(true|false) && (true|false)/, (_all, a, b) => String(a === 'true' && b === 'true'))
    .replace(
      /(^|\()(true|false) \|\| (true|false)(?=\)|$)/,
      (_all, open, a, b) => `${open}${a === 'true' || b === 'true'}`,
    );
  if (shorter === formula) {
    throw new Error(`a filter is not understood: ${formula}`);
  }
  return isTrue(shorter);
}
