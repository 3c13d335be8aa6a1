import { stat, writeFile } from 'node:fs/promises';
import { html } from '../../shared/pages/html.ts';
import { cleanText, jsonText } from './clean-text.ts';
import { errorJunit } from './junit.ts';
import { markdownCode } from './markdown-code.ts';

const UNFINISHED = 'The run has not ended: it was interrupted, or still runs.';

/** What a report says of a run without a result, by the option that names its file. */
const FAILED: Readonly<Record<string, (reason: string) => string>> = {
  junit: errorJunit,
  report: (reason) => `${jsonText({ error: reason }, 2)}\n`,
  markdown: (reason) => `### No result\n\n${markdownCode(reason)}\n`,
  html: (reason) =>
    html`<!doctype html><html lang="en"><meta charset="utf-8"><title>No result</title><h1>No result</h1><p>${cleanText(reason)}</p></html>
`.text,
};

/**
 * The files of a command's reports. From the beginning they say that there is no result, so that those of an earlier
 * run never pass for this run's, however it ends.
 */
export class ReportFiles {
  /** The files by the options that name them. */
  readonly #pending: Map<string, string>;

  private constructor(pending: Map<string, string>) {
    this.#pending = pending;
  }

  /** @throws Error if a file cannot be written */
  static async begin(values: Readonly<Record<string, unknown>>): Promise<ReportFiles> {
    const named = Object.keys(FAILED).flatMap((option): [string, string][] => {
      const file = values[option];
      return typeof file === 'string' ? [[option, file]] : [];
    });
    const reports = new ReportFiles(new Map(named));
    await reports.#writeAll(UNFINISHED);
    return reports;
  }

  /** Writes the report of a run that has ended, where an option names its file. */
  async end(option: string, text: () => string): Promise<void> {
    const file = this.#pending.get(option);
    if (file !== undefined) {
      await write(file, text());
      this.#pending.delete(option);
    }
  }

  /** Says in the reports that were not written why there is no result. */
  async fail(reason: string): Promise<void> {
    await this.#writeAll(reason);
  }

  async #writeAll(reason: string): Promise<void> {
    for (const [option, file] of this.#pending) {
      if (await isPlain(file)) {
        await write(file, FAILED[option]?.(reason) ?? '');
      }
    }
  }
}

/** A pipe or a device takes one report alone, the last one. */
async function isPlain(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => !found.isFIFO() && !found.isCharacterDevice() && !found.isSocket(),
    () => true,
  );
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new Error(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
