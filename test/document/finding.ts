/** What a judge has found: a rule, and where it is not kept. */
export interface Finding {
  readonly rule: string;
  readonly where: string;
  readonly message: string;
}

/** A rule that is not for this service, the places where it is not, and why. */
export interface Exception {
  readonly rule: string;
  readonly where: RegExp;
  readonly reason: string;
  /** Few of the generated cases meet it, so a run may pass without it. */
  readonly isByChance?: true;
}

export interface Verdict {
  /** The findings that no exception explains. */
  readonly unexplained: readonly Finding[];
  /** How many findings each exception explains. */
  readonly explained: readonly number[];
}

/** Each finding is explained by the first exception that fits. */
export function judge(findings: readonly Finding[], exceptions: readonly Exception[]): Verdict {
  const explained = exceptions.map(() => 0);
  const unexplained = findings.filter(({ rule, where }) => {
    const index = exceptions.findIndex((one) => one.rule === rule && one.where.test(where));
    if (index !== -1) {
      explained[index] = (explained[index] ?? 0) + 1;
    }
    return index === -1;
  });
  return { unexplained, explained };
}

/** What is wrong with a verdict, in words: findings without an exception, and exceptions without a finding, where that is no chance. */
export function faultsOf({ unexplained, explained }: Verdict, exceptions: readonly Exception[]): string[] {
  const idle = exceptions.filter(({ isByChance }, index) => !explained[index] && isByChance !== true);
  return [
    ...unexplained.map(({ rule, where, message }) => `${rule} at ${where}: ${message}`),
    ...idle.map(({ rule, where }) => `an exception is not needed any more: ${rule} at ${where}`),
  ];
}
