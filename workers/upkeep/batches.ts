/**
 * Deletes in batches until one is not full, and yields the number of each.
 * @param remove deletes at most `limit` rows and returns how many
 */
export async function* inBatches(
  remove: (limit: number) => Promise<number>,
  limit = 1_000,
): AsyncGenerator<number, void> {
  let count = limit;
  while (count >= limit) {
    count = await remove(limit);
    yield count;
  }
}
