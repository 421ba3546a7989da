/** A simple model of uploads that mirror account systems: whole uploads, row after row, in the order of processing. */

export interface OracleRow {
  integrationId: number;
  identity: string;
  email: string | null;
}

export interface OracleUpload {
  acceptance: number;
  rows: OracleRow[];
  /** The account systems for which the upload is complete; none for other uploads. */
  mirrored: number[];
  maxRemovals: number;
}

export type Counts = Record<
  'created' | 'updated' | 'unchanged' | 'superseded' | 'removed' | 'notFound',
  number
>;

const keyOf = ({ integrationId, identity }: Omit<OracleRow, 'email'>) => `${integrationId} ${identity}`;

/** The stored accounts, and the greatest acceptance number that mirrored each account system. */
export class MirrorOracle {
  readonly rows = new Map<string, OracleRow & { by: number }>();
  readonly marks = new Map<number, number>();

  clone(): MirrorOracle {
    const copy = new MirrorOracle();
    for (const [key, row] of this.rows) copy.rows.set(key, { ...row });
    for (const [id, mark] of this.marks) copy.marks.set(id, mark);
    return copy;
  }

  /** Processes an upload. Returns its counts, or null if it would remove too much and has changed nothing. */
  process(upload: OracleUpload): Counts | null {
    const { acceptance, rows, mirrored, maxRemovals } = upload;
    const named = new Set(rows.map(keyOf));
    const unnamed = [...this.rows].filter(
      ([key, row]) => mirrored.includes(row.integrationId) && !named.has(key) && row.by < acceptance,
    );
    if (mirrored.length > 0 && unnamed.filter(([, row]) => row.email !== null).length > maxRemovals)
      return null;
    const counts: Counts = { created: 0, updated: 0, unchanged: 0, superseded: 0, removed: 0, notFound: 0 };
    for (const row of rows) counts[this.#apply(row, acceptance)] += 1;
    for (const [key, row] of unnamed) {
      if (row.email !== null) counts.removed += 1;
      this.rows.set(key, { ...row, email: null, by: acceptance });
    }
    for (const id of mirrored) this.marks.set(id, Math.max(this.marks.get(id) ?? 0, acceptance));
    return counts;
  }

  /** The accounts that have an owner. */
  live(): string[] {
    return [...this.rows.values()]
      .filter(({ email }) => email !== null)
      .map((row) => `${keyOf(row)} ${row.email}`)
      .sort();
  }

  #apply(row: OracleRow, acceptance: number): keyof Counts {
    const known = this.rows.get(keyOf(row));
    if ((this.marks.get(row.integrationId) ?? 0) > acceptance || (known?.by ?? 0) > acceptance)
      return 'superseded';
    const owner = known?.email ?? null;
    this.rows.set(keyOf(row), { ...row, by: acceptance });
    if (row.email === null) return owner === null ? 'notFound' : 'removed';
    if (owner === null) return 'created';
    return owner === row.email ? 'unchanged' : 'updated';
  }
}

/** Returns the accounts that have an owner after all uploads were processed in the order of acceptance. */
export function liveInOrder(uploads: readonly OracleUpload[]): string[] {
  const oracle = new MirrorOracle();
  for (const upload of [...uploads].sort((a, b) => a.acceptance - b.acceptance))
    oracle.process({ ...upload, maxRemovals: Number.POSITIVE_INFINITY });
  return oracle.live();
}
