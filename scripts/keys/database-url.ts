import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accounts, keptPasswords } from '../private-servers/passwords.js';
import { socketFolder } from '../private-servers/sockets.js';

/** The database with the keys, and how messages name it. */
export interface KeyStore {
  url: string;
  isPrivate: boolean;
  /** The data directory of the private database. */
  dataDir: string;
}

/**
 * Returns the database of DATABASE_URL, or else the private one in DATA_DIR with the account of the API, which may write keys.
 * @throws Error in one line if there is neither
 */
export function findKeyStore(env: Record<string, string | undefined>): KeyStore {
  const dataDir = resolve(env.DATA_DIR || '.data');
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, isPrivate: false, dataDir };
  const passwordFile = join(dataDir, 'mariadb', 'passwords.json');
  if (!existsSync(passwordFile)) {
    throw new Error(`No Muster data in ${dataDir}: run npm start first, or set DATABASE_URL.`);
  }
  const { api } = keptPasswords(passwordFile);
  const query = new URLSearchParams({ socketPath: join(socketFolder(dataDir), 'mysql.sock') });
  return { url: `mysql://${accounts.api}:${api}@localhost/muster?${query}`, isPrivate: true, dataDir };
}
