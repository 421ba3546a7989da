/** Requests of a command that are open at once: the server takes them one after the other anyway. */
export const MAX_AT_ONCE = 4;

/** Does the same with each entry of a list, several at once, and returns the results in the order of the list. */
export async function mapAtOnce<Entry, Result>(
  list: readonly Entry[],
  limit: number,
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await work(list[index] as Entry);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}
