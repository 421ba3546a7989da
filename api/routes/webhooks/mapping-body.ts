import { z } from 'zod';
import {
  type CompiledMapping,
  compileYielding,
  type MappingError,
  mappingSchema,
} from '../../../workers/mapping/index.js';
import { type Principal, requireScope } from '../../access/auth.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { MAPPING, summary } from '../../http/error-details.js';
import { type ErrorDetail, unprocessable } from '../../http/errors.js';
import type { Pause } from '../../preview/one-at-a-time.js';
import { requireOwners } from '../alerts/owners.js';

/** Templates take at most 64 KiB of it, value maps the rest. Checking this much takes up to 100 ms. */
export const MAPPING_MAX_BYTES = 192 * 1024;

/** The schema of a mapping in the OpenAPI document. */
export const mappingDoc = mappingSchema.meta({ id: 'Mapping' });

/** What the author of a valid mapping should know, in a response. */
export const mappingWarningsSchema = z
  .array(
    z.object({
      field: z.string().meta({ description: 'Place in the mapping, such as `fields.status`' }),
      code: z.enum([
        'status_without_dedup_key',
        'occurrence_without_dedup_key',
        'expiry_without_dedup_key',
        'final_without_dedup_key',
        'optional_key_part',
        'unknown_table',
        'unknown_column',
        'wrong_key_columns',
      ]),
      message: z.string(),
    }),
  )
  .meta({ description: 'Parts of the mapping that have no effect, or probably not the wanted one' });

/** A saved mapping in a response. */
export const revisionSchema = z
  .object({
    revision: z.number().int(),
    current: z.boolean().meta({ description: 'Whether events are mapped with this revision now' }),
    createdAt: z.iso.datetime(),
    savedBy: authorSchema,
  })
  .meta({ id: 'MappingRevision' });

export const savedMapping = revisionSchema
  .extend({ mapping: z.unknown().meta({ description: 'The mapping as it was saved' }) })
  .meta({ id: 'SavedMapping' });

/**
 * Compiles a mapping from a request within `oneAtATime`, and lets other requests run between its expressions.
 * @throws 422 `invalid_mapping` with all errors, those of templates with line and column
 */
export async function checkMapping(sent: unknown, pause: Pause): Promise<CompiledMapping> {
  const isTooLarge = JSON.stringify(sent).length > MAPPING_MAX_BYTES;
  const result = isTooLarge ? TOO_LARGE : await compileYielding(sent, pause);
  if ('mapping' in result) return result.mapping;
  const errors = result.errors.map(toErrorDetail);
  // The messages of templates already contain the position.
  const unplaced = errors.map(({ line, column, ...error }) => error);
  throw unprocessable('invalid_mapping', summary(MAPPING, unplaced), errors);
}

/**
 * Does the same for a mapping that is saved.
 * @throws RequestError 403 if it looks up what the principal may not read
 */
export async function checkNewMapping(
  sent: unknown,
  principal: Principal,
  pause: Pause,
): Promise<CompiledMapping> {
  const mapping = await checkMapping(sent, pause);
  requireLookups(
    principal,
    mapping.lookups.map(({ place }) => 'integrationId' in place),
  );
  return mapping;
}

/**
 * Checks that a principal may read what a mapping looks up: the mapping shows it to all who read its alerts.
 * @param areOwners of each lookup, whether it finds the owners of accounts; others read tables
 * @throws RequestError 403 if it may not
 */
export function requireLookups(principal: Principal, areOwners: readonly boolean[]): void {
  if (areOwners.includes(true)) requireOwners(principal);
  if (areOwners.includes(false)) requireScope(principal, ['tables:read']);
}

const TOO_LARGE: { errors: MappingError[] } = {
  errors: [
    {
      field: '',
      code: 'too_large',
      message: `must have at most ${MAPPING_MAX_BYTES.toLocaleString('en-US')} characters as JSON`,
    },
  ],
};

function toErrorDetail({ field, code, message, line, column }: MappingError): ErrorDetail {
  const place = line === undefined || column === undefined ? {} : { line, column };
  return { ...place, field: field || null, code, message };
}
