import type { IdentityChange } from '../../../../db/identities/import-changes.js';

/** A simple model of what imports do to the table: row after row, in the order of processing. */

export interface OracleRow {
  integrationId: number;
  identity: string;
  email: string | null;
}

export interface OracleUpload {
  acceptance: number;
  action: 'assert' | 'remove';
  /** Valid rows in the order of the file. */
  rows: OracleRow[];
}

export interface Known {
  email: string | null;
  assertedBy: number;
  /** Whether the last upload that was applied changed its time. */
  createdMoved: boolean;
  updatedMoved: boolean;
}

/** By key, as `integrationId identity`. */
export type Table = Map<string, Known>;

export interface OracleCounts {
  created: number;
  updated: number;
  unchanged: number;
  superseded: number;
  removed: number;
  notFound: number;
}

export const keyOf = ({ integrationId, identity }: Omit<OracleRow, 'email'>): string =>
  `${integrationId} ${identity}`;

/** Applies an upload to the table. Each row is counted once. */
export function apply(table: Table, { acceptance, rows }: OracleUpload): OracleCounts {
  for (const known of table.values()) Object.assign(known, { createdMoved: false, updatedMoved: false });
  const counts = { created: 0, updated: 0, unchanged: 0, superseded: 0, removed: 0, notFound: 0 };
  for (const row of rows) counts[applyRow(table, row, acceptance)] += 1;
  return counts;
}

function applyRow(table: Table, row: OracleRow, acceptance: number): keyof OracleCounts {
  const known = table.get(keyOf(row));
  if (known && known.assertedBy > acceptance) return 'superseded';
  const owner = known?.email ?? null;
  const isNew = owner === null && row.email !== null;
  table.set(keyOf(row), {
    email: row.email,
    assertedBy: acceptance,
    createdMoved: isNew || (known?.createdMoved ?? true),
    updatedMoved: owner !== row.email || (known?.updatedMoved ?? true),
  });
  if (row.email === null) return owner === null ? 'notFound' : 'removed';
  if (isNew) return 'created';
  return owner === row.email ? 'unchanged' : 'updated';
}

/** What an upload changes, as a changes file lists it, in no particular order. */
export type OracleChange = Pick<IdentityChange, 'before' | 'after' | 'outcome' | 'place'> & { key: string };

/** Returns what an upload changes in a table. The rows have their places in the upload. */
export function changesBy(
  table: Table,
  { acceptance, rows }: { acceptance: number; rows: (OracleRow & { place: number })[] },
): OracleChange[] {
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  return [...last].flatMap(([key, { email: after, place }]): OracleChange[] => {
    const known = table.get(key);
    const before = known?.email ?? null;
    if (known && known.assertedBy > acceptance)
      return [{ key, before, after: before, outcome: 'superseded', place }];
    if (after === null)
      return [{ key, before, after, outcome: before === null ? 'not_found' : 'removed', place }];
    if (before === after) return [];
    return [{ key, before, after, outcome: before === null ? 'created' : 'updated', place }];
  });
}

/** Returns the table after all uploads, in any order: for each key, what was accepted last. */
export function winners(
  uploads: readonly OracleUpload[],
): Map<string, { email: string | null; assertedBy: number }> {
  const found = new Map<string, { email: string | null; assertedBy: number }>();
  for (const { acceptance, rows } of [...uploads].sort((a, b) => a.acceptance - b.acceptance)) {
    for (const row of rows) found.set(keyOf(row), { email: row.email, assertedBy: acceptance });
  }
  return found;
}
