import { z } from 'zod';
import { differences } from '../../../workers/json/differences.js';

/** A place at which two documents differ. */
export interface DocumentChange {
  /** Such as `mapping.fields.title.template`. */
  path: string;
  before: unknown;
  after: unknown;
}

export const documentChangeSchema = z
  .object({
    path: z.string().meta({ description: 'Such as `mapping.fields.title.template`' }),
    before: z.unknown().meta({ description: 'Null: nothing. A secret is only shown as `***`' }),
    after: z.unknown(),
  })
  .meta({ id: 'DocumentChange' });

/** What a change shows of a secret. */
const SECRET = '***';

/**
 * @param path such as `signature.secret`
 * @param isStored whether the new one replaces another one
 */
export const newSecretAt = (path: string, isStored: boolean): DocumentChange => ({
  path,
  before: isStored ? SECRET : null,
  after: SECRET,
});

/**
 * Returns where a document differs from the stored one, objects member by member and lists as a whole.
 * @param before null if there is none
 * @param after without secrets
 */
export const changesBetween = (before: object | null, after: object): DocumentChange[] =>
  [...differences([], before ?? {}, after)].map(({ path, ...values }) => ({
    path: path.join('.'),
    ...values,
  }));
