const AT_ONCE = 8;

/** Does something so often, a few at a time. */
export async function manyAtOnce(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const client = async () => {
    for (const index of indexes) {
      await act(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}
