type RowOf<Found> = Found extends (infer Row)[] ? Row : NonNullable<Found>;

/** Returns the row that a query finds, or the first of several. @throws Error if there is none */
export async function theRow<Found>(query: PromiseLike<Found>): Promise<RowOf<Found>> {
  const found = await query;
  const row = Array.isArray(found) ? found[0] : found;
  if (!row) throw new Error('no such row');
  return row;
}
