import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Who logs in to the private database, and the password of each. */
export type Passwords = Record<DatabaseUser, string>;
export type DatabaseUser = keyof typeof accounts;

/** Each process gets the rights of its work and no more; `owner` migrates and grants, `root` is for tests. */
export const accounts = {
  root: 'root',
  owner: 'muster_owner',
  api: 'muster_api',
  worker: 'muster_worker',
} as const;

/** The passwords kept in `file`; made, and stored with mode 600, when it is missing or unreadable. */
export function keptPasswords(file: string): Passwords {
  return read(file) ?? make(file);
}

function read(file: string): Passwords | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Passwords;
    return users().every((user) => /^\w+$/.test(kept[user])) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function make(file: string): Passwords {
  const made = Object.fromEntries(
    users().map((user) => [user, randomBytes(24).toString('hex')]),
  ) as Passwords;
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

function users(): DatabaseUser[] {
  return Object.keys(accounts) as DatabaseUser[];
}
