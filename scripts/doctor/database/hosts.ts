import type { Database } from '../../../db/client/connect.js';
import { isUsable } from '../../../db/client/hosts/database-hosts.js';
import { hostUrls } from '../../../db/client/hosts/host-urls.js';
import { attempt, closed, type Finding, failure } from '../finding.js';
import { addressOf, explainServer, findServer } from './server.js';

const OTHERS = 'Processes use the other hosts meanwhile.';

/** Checks each host of DATABASE_URL, and returns the URL of one that can be used; null if none can. */
export async function checkHosts(
  url: string,
  open: (url: string) => Database,
): Promise<{ findings: Finding[]; usable: string | null }> {
  const urls = hostUrls(url);
  const findings = await Promise.all(urls.map((one) => checkHost(one, open(one), urls.length === 1)));
  const usable = urls.find((_, number) => findings[number]?.level !== 'failure') ?? null;
  if (usable === null) return { findings, usable };
  return { findings: findings.map(asWarning), usable };
}

/** One of several hosts that cannot be used is a warning, as long as another one can. */
const asWarning = (finding: Finding): Finding =>
  finding.level === 'failure'
    ? { ...finding, level: 'warning', advice: `${finding.advice} ${OTHERS}` }
    : finding;

async function checkHost(url: string, database: Database, isOnlyOne: boolean): Promise<Finding> {
  const find = async (): Promise<Finding> => {
    const server = await findServer('database', database, url);
    return isOnlyOne || (await isUsable(database)) ? server : withoutWrites(url);
  };
  try {
    return await attempt('database', find, explainServer('database', 'DATABASE_URL', url));
  } finally {
    await closed(database.destroy());
  }
}

const withoutWrites = (url: string): Finding =>
  failure(
    'database',
    `${addressOf(url)} accepts no writes`,
    'Check its read_only, and its wsrep_ready if it is a Galera node.',
  );
