import { checkEmail } from '../../identities/record/identity-record.js';
import type { FieldResult, Warning } from './results.js';

/** Returns an owner in the form that identities have it, so that both are found by the same address. An invalid address leaves none. */
export function toOwner(result: FieldResult): FieldResult {
  if (result.value === null || result.result === 'missing') return { ...result, value: null };
  const email = checkEmail(result.value);
  if (email === result.value) return result;
  if (typeof email === 'string') return { ...result, value: email };
  const warning: Warning = { code: 'owner_not_an_email', message: NO_EMAIL, value: result.value };
  return { ...result, value: null, result: 'missing', warnings: [...result.warnings, warning] };
}

const NO_EMAIL = 'not an email address such as ada@example.com; the alert has no owner';
