import type { Logger } from 'pino';
import { hostsOf } from '../../db/client/connect.js';

/** Logs when this process moves to another of the hosts in its database URL. */
export function logDatabaseMoves(url: string, log: Logger): void {
  hostsOf(url)?.onMove((move) =>
    log.warn(move, 'the host of the database is unavailable or read-only; another one is used'),
  );
}
