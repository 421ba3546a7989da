import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { IntegrationDocument } from './document.js';

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
    before: z
      .unknown()
      .meta({ description: 'Null: nothing. A new secret is only shown as `***`, in `after`' }),
    after: z.unknown(),
  })
  .meta({ id: 'IntegrationChange' });

const SECRET = '***';

/**
 * Returns where a document differs from the stored one, objects member by member and lists as a whole.
 * @param isNewSecret whether its secret differs, which is not shown
 */
export function changesBetween(
  before: IntegrationDocument | null,
  { signature, ...after }: IntegrationDocument,
  isNewSecret: boolean,
): DocumentChange[] {
  const { secret, ...shown } = signature ?? {};
  const wanted = {
    ...after,
    signature: signature && { ...shown, ...(isNewSecret ? { secret: SECRET } : {}) },
  };
  return [...differences([], before ?? {}, wanted)].map(({ path, ...values }) => ({
    path: path.join('.'),
    ...values,
  }));
}

/** Yields where two values differ, objects member by member and lists as a whole; null is the same as nothing. */
export function* differences(
  path: readonly string[],
  before: unknown,
  after: unknown,
): Generator<{ path: readonly string[]; before: unknown; after: unknown }> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isMembers(before) || !isMembers(after)) {
    yield { path, before: before ?? null, after: after ?? null };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* differences([...path, name], before[name] ?? null, after[name] ?? null);
}

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
