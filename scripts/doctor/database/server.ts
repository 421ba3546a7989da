import type { Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { hostUrls } from '../../../db/client/hosts/host-urls.js';
import { type DriverFailure, describeFailure } from '../failure.js';
import { type Finding, failure, ok, warning } from '../finding.js';

/** The oldest versions that the tests have run on. */
const TESTED = { MariaDB: [10, 11], MySQL: [8, 0] } as const;

/** Returns where a database is, without user and password. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const place = searchParams.get('socketPath') ?? `${hostname}:${port || 3306}`;
  return `${decodeURIComponent(pathname.slice(1))} at ${place}`;
}

/** Reports that the database responds, and its version. */
export async function findServer(check: string, database: Database, url: string): Promise<Finding> {
  const [[{ version }]] = await database.raw('SELECT VERSION() AS version');
  const product = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
  const [major = 0, minor = 0] = String(version).split('.').map(Number.parseFloat);
  const [oldestMajor, oldestMinor] = TESTED[product];
  const found = `${product} ${String(version).split('-')[0]}, ${addressOf(url)}`;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok(check, found);
  return warning(
    check,
    found,
    `Upgrade it: Muster is tested with ${product} ${oldestMajor}.${oldestMinor} and newer.`,
  );
}

const WRONG_PASSWORD = 1045;
const NO_SUCH_DATABASE = new Set([1044, 1049]);
const TOO_MANY_CONNECTIONS = new Set([1040, 1203, 1226]);

/**
 * Explains why a database cannot be used.
 * @param setting the variable with its URL
 */
export function explainServer(check: string, setting: string, url: string): (error: unknown) => Finding {
  return (error) => {
    const { errno = 0, code } = error as DriverFailure;
    const where = addressOf(url);
    if (errno === WRONG_PASSWORD) {
      const advice = `Correct the user and password in ${setting}; both must be percent-encoded. Check from which hosts the account may connect.`;
      return failure(check, `${where} rejects the user or password`, advice);
    }
    if (NO_SUCH_DATABASE.has(errno)) {
      const advice = `Correct the database's name in ${setting}, or create the database and run npm run migrate.`;
      return failure(check, `${where} does not exist, or this account may not use it`, advice);
    }
    if (TOO_MANY_CONNECTIONS.has(errno))
      return failure(
        check,
        `${where} has no free connection`,
        'Raise max_connections, or run fewer processes.',
      );
    if (isDatabaseUnavailable(error)) {
      const advice = `Check that it runs, the host and port in ${setting}, and the firewall between.`;
      return failure(check, `${where} cannot be reached (${code ?? 'no response in time'})`, advice);
    }
    const advice = /certificate|TLS|SSL/i.test(describeFailure(error))
      ? 'Set NODE_EXTRA_CA_CERTS to the certificate of its authority, and use the host name that its certificate has.'
      : `Check ${setting}.`;
    return failure(check, `${where} cannot be used (${describeFailure(error)})`, advice);
  };
}

/** Reports whether the connection is encrypted. A socket and a loopback address need no encryption. */
export async function findTls(check: string, database: Database, url: string): Promise<Finding> {
  const [[row]] = await database.raw("SHOW SESSION STATUS LIKE 'Ssl_version'");
  if (row?.Value) return ok(check, row.Value);
  const urls = hostUrls(url).map((one) => new URL(one));
  if (urls.some(({ searchParams }) => searchParams.has('socketPath')))
    return ok(check, 'none, and a socket needs none');
  if (urls.every(({ hostname }) => isLoopback(hostname)))
    return ok(check, 'none, and a loopback address needs none');
  return warning(
    check,
    'passwords are hashed, but data is sent unencrypted',
    'Enable TLS in the database and append ?tls=true to DATABASE_URL, unless only trusted hosts are on this network.',
  );
}

export const isLoopback = (hostname: string): boolean => /^(127\.|localhost$|\[::1\]$|::1$)/.test(hostname);
