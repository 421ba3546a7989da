import { compareSecretKey } from '../../../api/access/secret-check.js';
import { compareRights } from '../../../db/access/account-rights.js';
import type { DatabaseRole } from '../../../db/access/grants.js';
import type { Database } from '../../../db/client/connect.js';
import { compareMigrations } from '../../../db/migrations/index.js';
import { SecretBox } from '../../../workers/process/secret-box.js';
import { type Finding, failure, ok, warning } from '../finding.js';

const SHOWN = 6;

/** Returns the first names of a list, and how many there are more. */
export const shortened = (names: readonly string[]): string =>
  names.length <= SHOWN
    ? names.join(', ')
    : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** Reports whether the schema fits this release. */
export async function findMigrations(check: string, database: Database): Promise<Finding> {
  const { missing, unknown } = await compareMigrations(database);
  if (missing.length > 0) {
    const advice = 'Run npm run migrate with the account that owns the tables.';
    return failure(check, `missing: ${shortened(missing)}`, advice);
  }
  if (unknown.length === 0) return ok(check, 'the schema is up to date');
  return warning(
    check,
    `the schema is newer than this release: ${shortened(unknown)}`,
    'Run the newer release, unless you are in the middle of an upgrade.',
  );
}

/** Reports how the rights of this account differ from those that its role needs. */
export async function findRights(check: string, database: Database, role: DatabaseRole): Promise<Finding> {
  const { missing, excess } = await compareRights(database, role);
  const who = role === 'api' ? 'the API' : 'a worker';
  if (missing.length > 0) {
    const advice = `Run npm run migrate -- --${role}-account NAME, with an account that may grant rights.`;
    return failure(check, `missing: ${shortened(missing)}`, advice);
  }
  if (excess.length === 0) return ok(check, `exactly those that ${who} needs`);
  return warning(
    check,
    `more than ${who} needs: ${shortened(excess)}`,
    'Give the API and the workers accounts of their own, and revoke the other rights.',
  );
}

/** Reports whether SECRET_KEY can decrypt the secrets in the database. */
export async function findSecretKey(
  check: string,
  database: Database,
  { secretKey, secretKeyOld }: { secretKey: string; secretKeyOld?: string | undefined },
): Promise<Finding> {
  const fit = await compareSecretKey(database, new SecretBox(secretKey, secretKeyOld));
  if (fit === 'current') return ok(check, 'SECRET_KEY fits the database');
  if (fit === 'none') return ok(check, 'the database has no secrets yet');
  if (fit === 'old') {
    const advice = 'Set it on every API host and restart; see "Changing SECRET_KEY" in docs/operating.md.';
    return warning(check, 'only SECRET_KEY_OLD fits the database: SECRET_KEY is new', advice);
  }
  return failure(
    check,
    'SECRET_KEY does not fit the database',
    'Set it to the same value on every API host; see "Changing SECRET_KEY" in docs/operating.md.',
  );
}
