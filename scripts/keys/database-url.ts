import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accounts, keptPasswords } from '../private-servers/passwords.js';
import { socketFolder } from '../private-servers/sockets.js';

/** Where the keys are, and how to call that place when it cannot be used. */
export interface KeyStore {
  url: string;
  isPrivate: boolean;
  /** Of the private instance. */
  dataDir: string;
}

/**
 * The database of DATABASE_URL, else the private one of DATA_DIR, as the API goes there: it may write keys.
 * @throws Error, in one line, when there is neither
 */
export function findKeyStore(env: Record<string, string | undefined>): KeyStore {
  const dataDir = resolve(env.DATA_DIR || '.data');
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, isPrivate: false, dataDir };
  const passwordFile = join(dataDir, 'mariadb', 'passwords.json');
  if (!existsSync(passwordFile)) {
    throw new Error(`There is no Muster in ${dataDir}: run npm start first, or set DATABASE_URL.`);
  }
  const { api } = keptPasswords(passwordFile);
  const query = new URLSearchParams({ socketPath: join(socketFolder(dataDir), 'mysql.sock') });
  return { url: `mysql://${accounts.api}:${api}@localhost/muster?${query}`, isPrivate: true, dataDir };
}
