/** One page of a list, as the API returns it. */
export interface PageLike<Element> {
  readonly data: readonly Element[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** Where the next page starts in a list that follows a sequence number. */
  readonly next_sequence?: number | undefined;
}

/**
 * A list that is read lazily: `await` returns the first page, `for await` every item, `pages()` every page. Nothing is
 * sent before that, and each page is requested only after the one before it is consumed.
 */
export interface List<Element, Page = PageLike<Element>> extends PromiseLike<Page>, AsyncIterable<Element> {
  pages(): AsyncIterable<Page>;
}

/**
 * @param readPage reads the page at a cursor or number; without one, the first page of the call
 * @internal
 */
export function listOf<Element, Page extends PageLike<Element>>(
  readPage: (after?: string) => Promise<Page>,
): List<Element, Page> {
  let first: Promise<Page> | undefined;
  async function* pages(): AsyncGenerator<Page, void> {
    let page = await readPage();
    yield page;
    // A filtered page may be empty although more pages follow.
    for (let next = nextOf(page); next !== undefined; next = nextOf(page)) {
      page = await readPage(next);
      yield page;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) {
        yield* page.data;
      }
    },
    // biome-ignore lint/suspicious/noThenProperty: a list that is awaited is its first page
    then(onPage, onError) {
      first ??= readPage();
      return first.then(onPage, onError);
    },
  };
}

function nextOf({ has_more, next_cursor, next_sequence }: PageLike<unknown>): string | undefined {
  return has_more ? (next_cursor ?? next_sequence?.toString()) : undefined;
}
