import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseRole } from '../../db/access/grants.js';
import { accounts, keptPasswords } from '../private-servers/passwords.js';
import { socketFolder } from '../private-servers/sockets.js';

/** A database, and how messages name it. */
export interface Store {
  url: string;
  isPrivate: boolean;
  /** The data directory of the private database. */
  dataDir: string;
}

/**
 * Returns the database of DATABASE_URL, or else the private one in DATA_DIR with the account of a role.
 * @throws Error in one line if there is neither
 */
export function findStore(env: Record<string, string | undefined>, role: DatabaseRole): Store {
  const dataDir = resolve(env.DATA_DIR || '.data');
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, isPrivate: false, dataDir };
  const passwordFile = join(dataDir, 'mariadb', 'passwords.json');
  if (!existsSync(passwordFile)) {
    throw new Error(`No Muster data in ${dataDir}: run npm start first, or set DATABASE_URL.`);
  }
  const { [role]: password } = keptPasswords(passwordFile);
  const query = new URLSearchParams({ socketPath: join(socketFolder(dataDir), 'mysql.sock') });
  return { url: `mysql://${accounts[role]}:${password}@localhost/muster?${query}`, isPrivate: true, dataDir };
}
