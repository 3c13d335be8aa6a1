import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { LISTED_SKIPS, type ListedSkip } from './listed-skips.ts';

/** Prints which tests were skipped, and why. In CI, a run fails where a skip is not listed, or not for CI. */
export default class SkipsReporter implements Reporter {
  readonly #listed: readonly ListedSkip[];
  #isWhole = true;
  #tagsFilter: readonly string[] = [];

  constructor({ listed = LISTED_SKIPS }: { readonly listed?: readonly ListedSkip[] } = {}) {
    this.#listed = listed;
  }

  onInit({ config }: Vitest): void {
    // Whoever names tests skips the others.
    this.#isWhole = config.testNamePattern === undefined;
    this.#tagsFilter = config.tagsFilter ?? [];
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => {
      const file = path.relative(process.cwd(), module.moduleId);
      return [...module.children.allTests('skipped')]
        .filter(({ tags }) => isChosen(tags, this.#tagsFilter))
        .map(({ fullName }) => ({ file, name: fullName }));
    });
    if (!this.#isWhole || skipped.length === 0) {
      return;
    }
    console.log('Skipped:');
    const byEntry = Map.groupBy(skipped, ({ file, name }) =>
      this.#listed.find(({ files, tests }) => files.test(file) && (tests?.test(name) ?? true)),
    );
    for (const [entry, tests] of byEntry) {
      const files = new Set(tests.map(({ file }) => file));
      const reason = entry?.reason ?? 'For no reason that is listed';
      console.log(`  ${reason}: ${tests.length} of ${[...files].join(', ')}`);
      if (entry?.inCi !== true && process.env.CI !== undefined) {
        const names = tests.map(({ file, name }) => `\n    ${file} > ${name}`);
        console.log(`    CI skips none of these.${names.join('')}`);
        process.exitCode = 1;
      }
    }
  }
}

/** Whether a filter of tags as the scripts have it, `slow && !nightly`, leaves a test in. */
function isChosen(tags: readonly string[], filter: readonly string[]): boolean {
  return filter
    .flatMap((expression) => expression.split('&&'))
    .map((term) => term.trim())
    .every((term) => (term.startsWith('!') ? !tags.includes(term.slice(1)) : tags.includes(term)));
}
