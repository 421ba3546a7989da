import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running `npm start` leaves in its data directory, for clients on this machine. */
export interface ServiceFiles {
  /** The API's address, such as `http://127.0.0.1:3000`. */
  address: string;
  /** The key by which the API proves that it is the service of this data directory; see `api/access/greeting.ts`. */
  greetingKey: string;
  /** The URL of the receiver to try destinations with. */
  receiver: string;
}

export const serviceFiles = (dataDir: string): ServiceFiles => ({
  address: join(dataDir, 'address'),
  greetingKey: join(dataDir, 'run', 'greeting-key'),
  receiver: join(dataDir, 'receiver'),
});

/** Creates the key of one run and stores it with mode 600. */
export function makeGreetingKey(dataDir: string): string {
  const key = randomBytes(32).toString('hex');
  writeFileSync(serviceFiles(dataDir).greetingKey, `${key}\n`, { mode: 0o600 });
  return key;
}

/** Says where the API and the receiver are. */
export function recordAddresses(
  dataDir: string,
  { address, receiver }: Pick<ServiceFiles, 'address' | 'receiver'>,
): void {
  const files = serviceFiles(dataDir);
  writeFileSync(files.receiver, `${receiver}\n`, { mode: 0o600 });
  writeFileSync(files.address, `${address}\n`, { mode: 0o600 });
}

/** Removes the files, so that no client looks for a service that has stopped. */
export function removeRecord(dataDir: string): void {
  for (const file of Object.values(serviceFiles(dataDir))) rmSync(file, { force: true });
}
