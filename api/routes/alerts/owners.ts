import type { ApiKey, Scope } from '../../../db/access/api-keys.js';
import { maskEmail } from '../../../workers/identities/record/mask-email.js';
import type { FieldResult } from '../../../workers/mapping/index.js';
import { hasScope, requireScope } from '../../access/auth.js';

/** Who owns an account is personal data: the scope of identities opens it, and with it the owners of alerts. */
const OWNERS: Scope = 'developer_records:read';

/** Returns whether a key sees the owners of alerts. Others see them masked. */
export const seesOwners = (apiKey: ApiKey): boolean => hasScope(apiKey, OWNERS);

/** @throws RequestError 403 if a key does not see the owners of alerts */
export const requireOwners = (apiKey: ApiKey): void => requireScope(apiKey, [OWNERS]);

/** @throws RequestError 403 if a key looks for the alerts of an owner whom it does not see */
export function checkOwnerFilter(apiKey: ApiKey, filters: { ownerEmail?: unknown }): void {
  if (filters.ownerEmail !== undefined) requireOwners(apiKey);
}

/** Returns an owner as a key sees it. */
export const shownOwner = (apiKey: ApiKey, email: string | null): string | null =>
  email === null || seesOwners(apiKey) ? email : maskEmail(email);

/** Returns the results of fields as a key sees them. A text that is invalid as an address may still be somebody's name. */
export function shownResults<Result extends FieldResult, Fields extends { ownerEmail?: Result }>(
  apiKey: ApiKey,
  fields: Fields,
): Fields {
  const { ownerEmail } = fields;
  if (!ownerEmail || seesOwners(apiKey)) return fields;
  const warnings = ownerEmail.warnings.map(({ value: _, ...warning }) => warning);
  return { ...fields, ownerEmail: { ...ownerEmail, value: shownOwner(apiKey, ownerEmail.value), warnings } };
}

/** Returns what changed in an alert as a key sees it. */
export const shownChange = <Change extends { field: string; before: string | null; after: string | null }>(
  apiKey: ApiKey,
  change: Change,
): Change =>
  change.field === 'ownerEmail'
    ? { ...change, before: shownOwner(apiKey, change.before), after: shownOwner(apiKey, change.after) }
    : change;
