import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import type { Clock } from '../clock.js';
import { compareClocks } from '../clock.js';
import { attempt, closed, type Finding } from '../finding.js';
import type { DoctorSettings } from '../settings.js';
import { findAuditFaults } from './audit.js';
import { findDestinations } from './destinations.js';
import { checkHosts } from './hosts.js';
import { findPartitions } from './partitions.js';
import { findReplica } from './replica.js';
import { findMigrations, findRights, findSecretKey } from './schema.js';
import { explainServer, findTls } from './server.js';
import { findUpkeep } from './upkeep.js';
import { findConnections, findDurability, findLockTimeout } from './variables.js';

const WITHIN_MS = 3_000;

const AUDIT = 'audit-log';
/** It reads all entries: some ten million. */
const AUDIT_WITHIN_MS = 30 * 60_000;

const LEFT_OUT = 'Migrations, rights and more are checked once it can be used.';

const open = (url: string): Database =>
  connectDatabase(url, { poolMax: 2, acquireTimeoutMs: WITHIN_MS, statementTimeoutMs: WITHIN_MS });

/** Checks the database and its read replica. If it cannot be used, that is the only finding. */
export async function checkDatabase(settings: DoctorSettings, clock: Clock): Promise<Finding[]> {
  const { databaseUrl: url, databaseReadUrl: readUrl, databaseReadMaxLagMs: maxLagMs } = settings;
  const { findings, usable } = await checkHosts(url, open);
  if (usable === null) return findings.map((one) => ({ ...one, advice: `${one.advice} ${LEFT_OUT}` }));
  // Not the URL of all hosts: one that is cut off would take up the time of the checks.
  const database = open(usable);
  const replica = readUrl === undefined ? null : { url: readUrl, database: open(readUrl), maxLagMs };
  try {
    return [
      ...findings,
      ...(await checkContents(settings, database, clock)),
      ...(await checkReplica(database, replica)),
    ];
  } finally {
    await closed(Promise.all([database.destroy(), replica?.database.destroy()]));
  }
}

async function checkContents(settings: DoctorSettings, database: Database, clock: Clock): Promise<Finding[]> {
  const { databaseUrl, role, secretKey, secretKeyOld, storageUrl } = settings;
  const checks: Record<string, (check: string) => Promise<Finding>> = {
    'database-tls': (check) => findTls(check, database, databaseUrl),
    'database-clock': (check) => compareClocks(check, clock, async () => (await readNow(database)).getTime()),
    'database-connections': (check) => findConnections(check, database),
    'database-durability': (check) => findDurability(check, database),
    'database-lock-timeout': (check) => findLockTimeout(check, database),
    'database-partitions': (check) => findPartitions(check, database),
    'database-rights': (check) => findRights(check, database, role),
    upkeep: (check) => findUpkeep(check, database),
    destinations: (check) => findDestinations(check, database, secretKey !== undefined),
    [AUDIT]: (check) => findAuditFaults(check, database, storageUrl),
    migrations: (check) => findMigrations(check, database),
    ...(secretKey && {
      'secret-key': (check) => findSecretKey(check, database, { secretKey, secretKeyOld }),
    }),
  };
  return Promise.all(
    Object.entries(checks).map(([check, find]) =>
      attempt(check, () => find(check), undefined, check === AUDIT ? AUDIT_WITHIN_MS : undefined),
    ),
  );
}

async function checkReplica(
  primary: Database,
  replica: { url: string; database: Database; maxLagMs: number } | null,
): Promise<Finding[]> {
  if (!replica) return [];
  const check = 'database-replica';
  const { url, database, maxLagMs } = replica;
  const find = () => findReplica(check, { primary, replica: database, url, maxLagMs });
  return [await attempt(check, find, explainServer(check, 'DATABASE_READ_URL', url))];
}
