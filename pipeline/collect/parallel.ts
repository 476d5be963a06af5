/** Work on many items, a few at a time, results in the order of the items. The first failure is thrown once all stopped. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failure: { fault: unknown } | undefined;
  async function lane(): Promise<void> {
    while (next < items.length && failure === undefined) {
      const at = next++;
      try {
        results[at] = await work(items[at]!);
      } catch (fault) {
        failure ??= { fault };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (failure !== undefined) throw failure.fault;
  return results;
}
