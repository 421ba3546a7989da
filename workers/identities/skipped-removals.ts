import type { JobWarning } from '../../db/jobs/jobs.js';
import type { ValidationResult } from './spool/spool-manifest.js';

const MAX_IDS_SHOWN = 10;

/**
 * Returns why a mirror must not remove any account, as the warning `removals_skipped`; null if it may, and for other uploads.
 * Nobody knows which accounts a file leaves out if a rejected row may name an account of a mirrored account system. If rows of other
 * account systems were rejected and a mirrored account system has no valid row, `integrationIds` is probably wrong. A file of valid
 * rows that has none for a mirrored account system says that this account system is empty.
 * @param integrationIds the mirrored account systems; undefined for other uploads
 */
export function skippedRemovals(
  integrationIds: readonly number[] | undefined,
  result: ValidationResult,
): JobWarning | null {
  if (!integrationIds) return null;
  const { rejectedRows, foreignRows, namedAccountSystems } = result;
  if (rejectedRows > foreignRows) {
    const reason = 'rejected rows may name accounts. Fix these rows and upload the complete file again';
    return skipped(reason, rejectedRows - foreignRows);
  }
  const named = new Set(namedAccountSystems);
  const unnamed = integrationIds.filter((id) => !named.has(id));
  if (foreignRows === 0 || unnamed.length === 0) return null;
  const ids = `${unnamed.slice(0, MAX_IDS_SHOWN).join(', ')}${unnamed.length > MAX_IDS_SHOWN ? ', …' : ''}`;
  const of = unnamed.length === 1 ? 'the mirrored account system' : 'the mirrored account systems';
  const reason = `rows of other account systems were rejected, and no valid row is of ${of} ${ids}. Check integrationIds`;
  return skipped(reason, foreignRows);
}

const skipped = (reason: string, count: number): JobWarning => ({
  code: 'removals_skipped',
  message: `no account was removed, because ${reason}`,
  count,
});
