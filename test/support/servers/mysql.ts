import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMariadb } from '../../../scripts/private-servers/mariadb.js';
import { unpackedEngine } from '../engines/describe-engine.js';
import { scratchParent } from '../scratch.js';

/** Returns why this machine cannot run MySQL; null if it can. */
export const whyNoMysql = (): string | null =>
  unpackedEngine('mysql') ? null : 'MySQL could not be downloaded';

/** Starts a temporary MySQL: about 5 s. */
export async function startMysql() {
  const dir = mkdtempSync(join(scratchParent(), 'muster-mysql-'));
  const server = `${unpackedEngine('mysql')}/bin/mysqld`;
  const mysql = await startMariadb({
    dir,
    programs: { flavour: 'mysql', server, installer: server },
    logFile: join(dir, 'mysql.log'),
    durable: false,
    redoLogMb: 96,
    throwAway: true,
  });
  return {
    /** Of root. */
    url: mysql.urls.root,
    stop: async () => {
      await mysql.stop(10_000);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
