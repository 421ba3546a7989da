import type { Database } from '../../../db/client/connect.js';
import { findSavedTemplate, TEMPLATE_LIMITS, templateLoad } from '../../../db/webhooks/saved-templates.js';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { hasScope, type Principal } from '../../access/auth.js';
import { conflict, notFound, RequestError } from '../../http/errors.js';

/* Who may change which saved templates, and how many there may be. */

/** Why a template cannot be changed that is not a saved one. */
export const notSaved = (name: string) =>
  findSource(name)
    ? conflict(
        'catalogue_template',
        'This template belongs to the catalogue. Only saved templates can be changed.',
      )
    : notFound('template');
const changesAll = (principal: Principal): boolean => hasScope(principal, 'webhooks:write:all');

/** @throws RequestError 403 if the template belongs to another key and this one may change only its own */
export async function requireOwner(transaction: Database, name: string, principal: Principal): Promise<void> {
  const saved = await findSavedTemplate(transaction, name);
  if (!saved || saved.ownerId === principal.id || changesAll(principal)) return;
  throw new RequestError(
    403,
    'missing_scope',
    'This template belongs to another API key. Use that key, or one that also has the scope webhooks:write:all.',
  );
}

/** @throws RequestError 409, which undoes the change */
export async function requireLimits(transaction: Database, principal: Principal): Promise<void> {
  const { all, perKey } = TEMPLATE_LIMITS;
  const exceeds = ({ count, bytes }: typeof all, limit: typeof all) =>
    count > limit.count || bytes > limit.bytes;
  const sizeOf = ({ count, bytes }: typeof all) => `${count} templates with ${bytes / 2 ** 20} MiB in all`;
  if (exceeds(await templateLoad(transaction), all)) {
    const message = `At most ${sizeOf(all)} can be saved. Delete one that is no longer used.`;
    throw conflict('too_many_templates', message);
  }
  if (changesAll(principal) || !exceeds(await templateLoad(transaction, principal.id), perKey)) return;
  throw conflict(
    'too_many_templates',
    `This API key may save at most ${sizeOf(perKey)}. Delete one of its templates, or use a key that also has the scope webhooks:write:all.`,
  );
}
