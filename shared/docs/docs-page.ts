import type { Html } from '../pages/html.ts';

/** A page of the documentation: for people, and the same for programs. */
export interface DocsPage {
  readonly title: string;
  readonly body: Html;
  /** Whether it is in the language of the reader; else it is in English. */
  readonly isTranslated?: true;
  /** The same as Markdown, where it was written so. */
  readonly markdown?: string;
  /** What programs get. */
  readonly data: object;
}
