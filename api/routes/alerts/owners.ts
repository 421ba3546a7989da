import type { Scope } from '../../../db/access/api-keys.js';
import { maskEmail } from '../../../workers/identities/record/mask-email.js';
import type { FieldResult } from '../../../workers/mapping/index.js';
import { hasScope, type Principal, requireScope } from '../../access/auth.js';

/** Who owns an account is personal data: the scope of identities opens it, and with it the owners of alerts. */
const OWNERS: Scope = 'developer_records:read';

/** Returns whether a principal sees the owners of alerts. Others see them masked. */
export const seesOwners = (principal: Principal): boolean => hasScope(principal, OWNERS);

/** @throws RequestError 403 if a principal does not see the owners of alerts */
export const requireOwners = (principal: Principal): void => requireScope(principal, [OWNERS]);

/** @throws RequestError 403 if a principal looks for the alerts of an owner whom it does not see */
export function checkOwnerFilter(principal: Principal, filters: { ownerEmail?: unknown }): void {
  if (filters.ownerEmail !== undefined) requireOwners(principal);
}

/** Returns an owner as a principal sees it. */
export const shownOwner = (principal: Principal, email: string | null): string | null =>
  email === null || seesOwners(principal) ? email : maskEmail(email);

/** Returns the results of fields as a principal sees them. A text that is invalid as an address may still be somebody's name. */
export function shownResults<Result extends FieldResult, Fields extends { ownerEmail?: Result }>(
  principal: Principal,
  fields: Fields,
): Fields {
  const { ownerEmail } = fields;
  if (!ownerEmail || seesOwners(principal)) return fields;
  const warnings = ownerEmail.warnings.map(({ value: _, ...warning }) => warning);
  return {
    ...fields,
    ownerEmail: { ...ownerEmail, value: shownOwner(principal, ownerEmail.value), warnings },
  };
}

/** Returns what changed in an alert as a principal sees it. */
export const shownChange = <Change extends { field: string; before: string | null; after: string | null }>(
  principal: Principal,
  change: Change,
): Change =>
  change.field === 'ownerEmail'
    ? { ...change, before: shownOwner(principal, change.before), after: shownOwner(principal, change.after) }
    : change;
