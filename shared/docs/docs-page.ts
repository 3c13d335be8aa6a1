import type { Html } from '../pages/html.ts';

/** A page of the documentation: for people, and the same for programs. */
export interface DocsPage {
  readonly title: string;
  readonly body: Html;
  /** What programs get. */
  readonly data: object;
}
