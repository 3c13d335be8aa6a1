import type { Reporter, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** The counts of a test, to be printed at the end: label → count. */
    figures?: Record<string, string | number>;
  }
}

/** Prints the figures that tests leave in `task.meta.figures`, as one table, where there are any. */
export default class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        const { figures: left = {} } = test.meta();
        const verdict = test.result().state === 'passed' ? 'passed' : 'FAILED';
        return Object.entries(left).map(([what, figure]) => ({ what, figure: String(figure), verdict }));
      }),
    );
    const widths = [
      Math.max(...figures.map(({ what }) => what.length)),
      Math.max(...figures.map(({ figure }) => figure.length)),
    ] as const;
    for (const { what, figure, verdict } of figures) {
      console.log(`  ${what.padEnd(widths[0])}  ${figure.padStart(widths[1])}  ${verdict}`);
    }
  }
}
