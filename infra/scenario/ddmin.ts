/**
 * The shortest part of a list that still fails, by the ddmin algorithm of Zeller and Hildebrandt: tries ever smaller
 * parts, and what is left without each, until no single element can be left out (1-minimal).
 * @param fails whether a part fails in the same way; it must for the whole list
 */
export async function ddmin<Element>(
  whole: readonly Element[],
  fails: (part: readonly Element[]) => Promise<boolean>,
): Promise<readonly Element[]> {
  let current = whole;
  let parts = 2;
  while (current.length >= 2) {
    const chunks = split(current, parts);
    const part = await findFailing(chunks, fails);
    const rest =
      part === undefined && parts > 2 ? await findFailing(complementsOf(chunks), fails) : undefined;
    if (part !== undefined) {
      current = part;
      parts = 2;
    } else if (rest !== undefined) {
      current = rest;
      parts = Math.max(parts - 1, 2);
    } else if (parts < current.length) {
      parts = Math.min(parts * 2, current.length);
    } else {
      break;
    }
  }
  return current;
}

/** Elements that are gone may have been what another one was needed for, so it goes on while it finds something. */
export async function shrinkList<Element>(
  whole: readonly Element[],
  fails: (part: readonly Element[]) => Promise<boolean>,
): Promise<readonly Element[]> {
  const kept = await ddmin(whole, fails);
  return kept.length === whole.length ? kept : shrinkList(kept, fails);
}

function split<Element>(list: readonly Element[], parts: number): Element[][] {
  return Array.from({ length: parts }, (_, part) =>
    list.slice(Math.floor((list.length * part) / parts), Math.floor((list.length * (part + 1)) / parts)),
  );
}

function complementsOf<Element>(chunks: readonly (readonly Element[])[]): Element[][] {
  return chunks.map((_, left) => chunks.filter((_chunk, index) => index !== left).flat());
}

async function findFailing<Element>(
  candidates: readonly (readonly Element[])[],
  fails: (part: readonly Element[]) => Promise<boolean>,
): Promise<readonly Element[] | undefined> {
  for (const candidate of candidates) {
    if (await fails(candidate)) {
      return candidate;
    }
  }
  return undefined;
}
