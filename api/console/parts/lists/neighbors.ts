/** The ids before and after an entry of a list; null at its ends, or if the list does not have the entry. */
export interface Neighbors {
  previous: string | null;
  next: string | null;
}

export function neighborsOf(rows: readonly { id: string }[], id: string): Neighbors {
  const place = rows.findIndex((row) => row.id === id);
  if (place === -1) return { previous: null, next: null };
  return { previous: rows[place - 1]?.id ?? null, next: rows[place + 1]?.id ?? null };
}
