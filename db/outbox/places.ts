import type { Database } from '../client/connect.js';

/** A part of a statement, with its values. */
export interface Part {
  sql: string;
  values: readonly (string | number | Buffer | Date | null)[];
}

export const marks = (count: number): string => new Array(count).fill('?').join();

/** Returns the rows of several SELECTs in one statement. */
export async function union<Row>(database: Database, parts: readonly Part[]): Promise<Row[]> {
  if (parts.length === 0) return [];
  const sql = parts.map((part) => `(${part.sql})`).join(' UNION ALL ');
  const [rows] = await database.raw(
    sql,
    parts.flatMap(({ values }) => values),
  );
  return rows;
}

/** Returns the numbers of messages by their destinations. */
export function byDestination(
  messages: readonly { destinationId: string; transitionId: number }[],
): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  for (const { destinationId, transitionId } of messages) {
    const own = ids.get(destinationId);
    if (own) own.push(transitionId);
    else ids.set(destinationId, [transitionId]);
  }
  return ids;
}

/** Returns a condition for messages, or attempts, by their primary key. */
export function inMessages(
  ids: ReadonlyMap<string, readonly number[]>,
  table = '',
): [sql: string, values: (string | number)[]] {
  const parts = [...ids.values()].map(
    (own) => `${table}destination_id = ? AND ${table}transition_id IN (${marks(own.length)})`,
  );
  return [`(${parts.join(' OR ')})`, [...ids].flat(2)];
}

/** Returns the parts of a list for which a text is the same. */
export function groupsOf<One>(list: readonly One[], textOf: (one: One) => string): [One, ...One[]][] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const one of list) {
    const group = groups.get(textOf(one));
    if (group) group.push(one);
    else groups.set(textOf(one), [one]);
  }
  return [...groups.values()];
}

const [STATEMENT_ROWS, STATEMENT_BYTES] = [200, 1_000_000];

/** Returns parts of a list that fit into one statement. */
export function chunksOf<One>(
  list: readonly One[],
  most = STATEMENT_ROWS,
  bytesOf: (one: One) => number = () => 0,
): One[][] {
  const chunks: One[][] = [];
  let bytes = 0;
  for (const one of list) {
    const last = chunks.at(-1);
    bytes += bytesOf(one);
    if (last && last.length < most && bytes <= STATEMENT_BYTES) last.push(one);
    else {
      chunks.push([one]);
      bytes = bytesOf(one);
    }
  }
  return chunks;
}
