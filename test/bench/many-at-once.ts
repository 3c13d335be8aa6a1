const AT_ONCE = 8;

/** Does something so often, a few at a time. */
export async function manyAtOnce(count: number, act: (place: number) => Promise<void>): Promise<void> {
  const places = Array.from({ length: count }, (_, place) => place).values();
  const client = async () => {
    for (const place of places) {
      await act(place);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}
