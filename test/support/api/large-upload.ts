import { crc32 } from 'node:zlib';
import type { Database } from '../../../db/client/connect.js';

/** A large upload to a table that already contains some of its keys, and the expected result. */
export interface LargeUpload {
  /** The file to import first. */
  seed: string;
  csv: string;
  counts: Record<'total' | 'created' | 'updated' | 'unchanged' | 'superseded' | 'rejected', number>;
  repeated: number;
  /** Of the table then. */
  fingerprint: Fingerprint;
}

export interface Fingerprint {
  rows: number;
  /** Sum of the CRC-32 of each row as `email,integrationId,identity`. */
  sum: number;
}

const HEADER = 'email,integrationId,identity\n';

/**
 * Of `rows` rows, every tenth repeats the key of the row before it with another owner. A quarter of the keys is
 * already in the table, half of those with the same owner. Keys are unordered, and many share long prefixes.
 */
export function largeUpload(rows: number): LargeUpload {
  const seed: string[] = [];
  const lines: string[] = [];
  const counts = { total: rows, created: 0, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };
  const fingerprint = { rows: 0, sum: 0 };
  let repeated = 0;
  let key = '';
  for (let at = 0; at < rows; at++) {
    if (at % 10 === 9) {
      lines.push(`again-${at}@example.com,${key}`);
      counts.updated += 1;
      repeated += 1;
    } else {
      key = keyOf(at);
      lines.push(`owner-${at}@example.com,${key}`);
      if (at % 8 === 0) seed.push(`owner-${at}@example.com,${key}`);
      if (at % 8 === 4) seed.push(`other@example.com,${key}`);
      counts[at % 8 === 0 ? 'unchanged' : at % 8 === 4 ? 'updated' : 'created'] += 1;
    }
    if ((at + 1) % 10 !== 9 || at + 1 === rows) {
      fingerprint.rows += 1;
      fingerprint.sum += crc32(lines.at(-1) as string);
    }
  }
  const text = (all: string[]) => `${HEADER}${all.join('\n')}\n`;
  return { seed: text(seed), csv: text(lines), counts, repeated, fingerprint };
}

const keyOf = (at: number): string => `${1 + (at % 3)},account-${(at * 48_271) % 2_147_483_647}`;

/** Returns the same sum for the stored rows. */
export async function fingerprintOf(database: Database): Promise<Fingerprint> {
  const [[found]] = await database.raw(
    `SELECT COUNT(*) AS count, SUM(CRC32(CONCAT(email, ',', integration_id, ',', identity))) AS sum
     FROM identities WHERE email IS NOT NULL`,
  );
  return { rows: Number(found.count), sum: Number(found.sum) };
}
