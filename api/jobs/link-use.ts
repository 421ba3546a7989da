import type { Knex } from 'knex';
import {
  findUploadLink,
  LINK_CHECKS,
  type LinkUse,
  takeLinkUse,
  type UploadLink,
} from '../../db/access/upload-links.js';
import { RequestError } from '../http/errors.js';

/** The use of an upload link that a job takes. */
export interface JobOfLink {
  link: UploadLink;
  use: LinkUse;
}

/** Returns what an upload takes of the link of its request; undefined for a request with an API key. */
export const useOfLink = (link: UploadLink | undefined, dryRun: boolean): JobOfLink | undefined =>
  link && { link, use: dryRun ? 'check' : 'upload' };

/**
 * Refuses a link that has no use left, before the body is received. Only `takeUse` is exact.
 * @throws RequestError 403
 */
export function requireUse({ link, use }: JobOfLink): void {
  const isUsedUp =
    use === 'upload' ? link.uploadsUsed >= link.uploadsAllowed : link.checksUsed >= LINK_CHECKS;
  if (isUsedUp) throw usedUp(use);
}

/**
 * Takes a use of a link, in the transaction that records the job.
 * @throws RequestError 403 if there is none left, or the link ended while the body was received
 */
export async function takeUse(transaction: Knex.Transaction, { link, use }: JobOfLink): Promise<void> {
  if (await takeLinkUse(transaction, link.id, use)) return;
  const now = await findUploadLink(transaction, link.id);
  if (now?.state === 'expired' || now?.state === 'revoked')
    throw new RequestError(
      403,
      `upload_link_${now.state}`,
      `This upload link ${now.state === 'expired' ? 'expired' : 'was revoked'} before the file had arrived. Nothing was written.`,
    );
  throw usedUp(use);
}

const usedUp = (use: LinkUse): RequestError =>
  use === 'upload'
    ? new RequestError(403, 'upload_link_used_up', 'All uploads of this link are used. Ask for a new link.')
    : new RequestError(
        403,
        'too_many_checks',
        `This link has checked ${LINK_CHECKS} files, which is the limit. Upload the file, or ask for a new link.`,
      );
