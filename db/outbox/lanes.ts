import type { Database } from '../client/connect.js';
import { sqlInSeconds } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';

/** Another worker may take a lane so long after its worker has last written about it: it may have been killed. */
export const LEASE_S = 10;

/** A destination whose messages one worker sends. All times are those of the database. */
export interface Lane {
  destinationId: string;
  /** A worker with another one may not write any more. */
  lease: string;
  /** Attempts that failed in a row. */
  failures: number;
  /** Since when all attempts have failed, in milliseconds; null: the last one did not. */
  failingForMs: number | null;
  /** What is sent of what waited when the lane was resumed; null: all. */
  resume: { deliver: Resume; upTo: number } | null;
}

/** Which messages of a lane that is resumed are sent: the last of each key, or of those only that still fire; or none. */
export const RESUMES = ['latest', 'firing', 'none'] as const;
export type Resume = (typeof RESUMES)[number];

/** Takes lanes with messages that are due and that nobody else has, for {@link LEASE_S}. */
export async function takeLanes(
  database: Database,
  { lease, limit, isFailing }: { lease: string; limit: number; isFailing: boolean },
): Promise<Lane[]> {
  if (limit <= 0) return [];
  return inTransaction(database, async (transaction) => {
    const [rows] = await transaction.raw(
      `SELECT lanes.destination_id AS destinationId, failures, TIMESTAMPDIFF(MICROSECOND, failing_since, UTC_TIMESTAMP(3)) DIV 1000 AS failingForMs,
          resume, resume_up_to AS resumeUpTo
        FROM lanes JOIN destinations ON destinations.id = lanes.destination_id
        WHERE due_at <= UTC_TIMESTAMP(3) AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))
          AND stopped IS NULL AND paused_at IS NULL AND deleted_at IS NULL
          AND (probe_at IS NULL OR probe_at <= UTC_TIMESTAMP(3)) AND failures ${isFailing ? '>' : '='} 0
        ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      [limit],
    );
    if (rows.length === 0) return [];
    await transaction('lanes')
      .whereIn(
        'destination_id',
        rows.map(({ destinationId }: Row) => destinationId),
      )
      .update({ lease, lease_until: sqlInSeconds(transaction, LEASE_S) });
    return rows.map(({ destinationId, failures, failingForMs, resume, resumeUpTo }: Row) => ({
      destinationId,
      failures,
      lease,
      failingForMs: failingForMs === null ? null : Number(failingForMs),
      resume: resume && { deliver: resume, upTo: Number(resumeUpTo) },
    }));
  });
}

interface Row {
  destinationId: string;
  failures: number;
  failingForMs: number | string | null;
  resume: Resume | null;
  resumeUpTo: number | string | null;
}
