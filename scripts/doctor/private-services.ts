import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseRole } from '../../db/access/grants.js';
import { accounts, keptPasswords } from '../private-servers/passwords.js';
import { socketFolder } from '../private-servers/sockets.js';
import { readSecret, secretKeyFile } from '../start/secrets.js';

type Env = Record<string, string | undefined>;

/**
 * Returns the environment as `npm start` passes it on: with the private servers and the secret key in DATA_DIR where the
 * environment names none. Without data of `npm start` there, returns it unchanged.
 */
export function withPrivateServices(role: DatabaseRole, env: Env): Env {
  const dataDir = resolve(env.DATA_DIR || '.data');
  const passwordFile = join(dataDir, 'mariadb', 'passwords.json');
  if (env.DATABASE_URL || !existsSync(passwordFile)) return env;
  const sockets = socketFolder(dataDir);
  const query = new URLSearchParams({ socketPath: join(sockets, 'mysql.sock') });
  return {
    ...env,
    DATABASE_URL: `mysql://${accounts[role]}:${keptPasswords(passwordFile)[role]}@localhost/muster?${query}`,
    REDIS_URL: env.REDIS_URL || `unix://${join(sockets, 'redis.sock')}`,
    SECRET_KEY: env.SECRET_KEY || readSecret(secretKeyFile(dataDir)),
  };
}
