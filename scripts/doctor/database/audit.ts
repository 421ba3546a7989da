import { buffer } from 'node:stream/consumers';
import { headFileKey, parseHeadFile } from '../../../db/audit/head-files.js';
import { type ChainFault, findRewritten, verifyChains } from '../../../db/audit/verify-chain.js';
import type { Database } from '../../../db/client/connect.js';
import { openFileStore } from '../../../db/files/index.js';
import { DAY_MS } from '../../../db/upkeep/horizons.js';
import { counted } from '../../../workers/text/quantities.js';
import { describeFailure } from '../failure.js';
import { type Finding, failure, ok, warning } from '../finding.js';

const ADVICE =
  'Somebody has changed the audit log with the rights of a worker or of the database. Keep a copy of the database, and see "Audit log" in docs/security.md.';

/** Reports the first entry of the audit log that was changed or removed, also if the hashes after it were computed again. */
export async function findAuditFaults(
  check: string,
  database: Database,
  storageUrl: string,
): Promise<Finding> {
  const { entries, faults } = await verifyChains(database);
  const [first] = faults;
  if (first) return failure(check, `${describe(first)}${others(faults.length - 1)}`, ADVICE);
  const compared = await compareHeads(database, storageUrl).catch((error) => describeFailure(error));
  if (typeof compared === 'string')
    return warning(
      check,
      `${counted(entries, 'entry', 'entries')}, none of which was changed, but the heads in the file store cannot be read (${compared})`,
      'Check the file store, and its rights on audit/.',
    );
  const { rewritten, files } = compared;
  if (rewritten)
    return failure(
      check,
      `entry ${rewritten.sequence} of shard ${rewritten.shard} is not the one that ${rewritten.key} names: it, or one before it, was changed`,
      ADVICE,
    );
  return ok(
    check,
    `${counted(entries, 'entry', 'entries')}, none of which was changed, as ${counted(files, 'file')} of heads confirms`,
  );
}

function describe({ shard, sequence, id, what }: ChainFault): string {
  const place = `entry ${sequence} of shard ${shard}`;
  if (what === 'removed') return `${place} was removed`;
  if (what === 'changed') return `${place} (${id}) was changed, or the one before it was`;
  if (what === 'added') return `${place} (${id}) was added after the head`;
  return `the head of shard ${shard} was changed`;
}

const others = (count: number): string =>
  count === 0 ? '' : `, and ${counted(count, 'other shard')} has a fault`;

/** Compares the entries with the heads that were written to the file store on each day from which there are entries. */
async function compareHeads(database: Database, storageUrl: string) {
  const store = openFileStore(storageUrl);
  const oldest = await database('audit_entries').orderBy(['at', 'id']).first('at');
  let files = 0;
  for (let day = oldest ? +oldest.at : Date.now(); day < Date.now() + DAY_MS; day += DAY_MS) {
    const key = headFileKey(new Date(day));
    if (!(await store.stat(key))) continue;
    files += 1;
    const { heads } = parseHeadFile((await buffer(store.read(key))).toString());
    const [first] = await findRewritten(database, heads);
    if (first) return { rewritten: { ...first, key }, files };
  }
  return { rewritten: null, files };
}
