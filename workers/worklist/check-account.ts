import type { RowError } from '../identities/record/errors.js';
import { checkEmail, checkIdentity } from '../identities/record/identity-record.js';
import type { Account } from './account.js';

/** In UTF-16 units. */
export const MAX_NAME = 255;
/** Control characters and line separators: they would make rows of a list hard to read. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** An account as it was sent. */
export interface SentAccount {
  identity: unknown;
  name?: string | undefined;
  email?: string | undefined;
}

/** Returns the account in its normalized form, or everything that is wrong with it. */
export function checkAccount(
  { identity, name = '', email = '' }: SentAccount,
  keepsLost: boolean,
): Account | RowError[] {
  const checked = {
    identity: checkIdentity(identity, keepsLost),
    name: checkName(name),
    email: email.trim() === '' ? '' : checkEmail(email),
  };
  const errors = Object.entries(checked).flatMap(([field, result]) =>
    typeof result === 'object' ? [{ field, ...result }] : [],
  );
  return errors.length > 0 ? errors : (checked as Account);
}

function checkName(name: string) {
  const trimmed = name.trim().normalize('NFC');
  if (trimmed.length > MAX_NAME)
    return { code: 'name_too_long', message: `must have at most ${MAX_NAME} characters` };
  if (FORBIDDEN.test(trimmed))
    return { code: 'name_forbidden_character', message: 'must not contain control characters' };
  return trimmed;
}
