import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The accounts of the private database, with their passwords. */
export type Passwords = Record<DatabaseUser, string>;
export type DatabaseUser = keyof typeof accounts;

/** Each process has an account with only the rights that it needs. `owner` migrates and grants, `root` is for tests. */
export const accounts = {
  root: 'root',
  owner: 'muster_owner',
  api: 'muster_api',
  worker: 'muster_worker',
} as const;

/** Returns the passwords in `file`. Creates them, with mode 600, if the file is missing or unreadable. */
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
