import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';

/**
 * Describes what Muster promises on an engine: the name of each test is a promise. `npm run test:engines` prints one table of
 * all of them.
 * @param reason why this machine cannot run the engine; null if it can
 */
export function describeEngine(engine: string, reason: string | null, promises: () => void): void {
  // report-promises.mjs reads the reason as the title between engine and promise.
  describe(engine, () => (reason === null ? promises() : describe.skip(reason, promises)));
}

/** A program that sends alerts with a command. */
export type Sender = 'nagios' | 'icinga' | 'monit' | 'fail2ban' | 'smartd' | 'netdata' | 'apprise';

/** A program that speaks an API in whose place Muster can stand. */
type DropIn = 'prometheus' | 'alertmanager' | 'vmalert' | 'zabbix';

/** Returns the folder of an engine that the setup of `npm run test:engines` unpacks, and of sshd that of `npm test`; null if it could not. */
export function unpackedEngine(
  name:
    | 'galera'
    | 'mysql'
    | 'proxies'
    | 'backup'
    | 's3'
    | 'sshd'
    | 'mail'
    | 'tinyproxy'
    | 'generators'
    | Sender
    | DropIn,
): string | null {
  const folder = resolve('.engines', name);
  return existsSync(folder) ? folder : null;
}
