import { Readable } from 'node:stream';
import { expireEntries } from '../../db/audit/expire-audit.js';
import { headFileKey, toHeadFile } from '../../db/audit/head-files.js';
import { readHeads } from '../../db/audit/verify-chain.js';
import { AUDIT_SHARDS } from '../../db/audit/write-audit.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import { inBatches } from './delete-old-rows.js';
import type { UpkeepTask } from './task.js';

/** Deletes what is older than `AUDIT_RETENTION_DAYS` from the audit log. */
export const expireAuditLog: UpkeepTask = {
  name: 'expire-audit-log',
  removes: 'audit_log',
  async *run({ database }, turn) {
    const before = turn.expiry('audit-log');
    for (let shard = 0; shard < AUDIT_SHARDS; shard++)
      yield* inBatches((limit) => expireEntries(database, shard, before, limit));
  },
};

/**
 * Writes the heads of the chains of the audit log to the file store, once a day: `doctor` compares them, so that a chain that was computed again is
 * found too. A file that exists is never written again.
 */
export const writeAuditHeads: UpkeepTask = {
  name: 'write-audit-heads',
  async *run({ database, files, redis, settings }, turn) {
    if (!settings.auditHeadFiles) return;
    const key = headFileKey(turn.now);
    const place = `${settings.redisPrefix}:audit-heads`;
    if ((await redis.get(place)) === key) return;
    if (!(await files.stat(key))) {
      const text = toHeadFile({ at: turn.now, heads: await readHeads(database) });
      await files.write(key, Readable.from([Buffer.from(text)]));
      yield 1;
    }
    await files.remove(headFileKey(new Date(+turn.ago((settings.auditRetentionDays + 1) * DAY_MS))));
    await redis.set(place, key);
  },
};
