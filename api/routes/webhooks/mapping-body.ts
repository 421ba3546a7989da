import { z } from 'zod';
import {
  type CompiledMapping,
  compileMapping,
  type MappingError,
  mappingSchema,
} from '../../../workers/mapping/index.js';
import { MAPPING, summary } from '../../http/error-details.js';
import { type ErrorDetail, unprocessable } from '../../http/errors.js';

/** Templates are 64 KiB at most; the rest is room for value maps. To check so much takes up to 100 ms. */
export const MAPPING_MAX_BYTES = 192 * 1024;

/** A mapping in the document of the API. */
export const mappingDoc = mappingSchema.meta({ id: 'Mapping' });

/** A saved mapping as it is answered. */
export const revisionSchema = z
  .object({
    revision: z.number().int(),
    current: z.boolean().meta({ description: 'Whether events are mapped with it now' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'MappingRevision' });

export const savedMapping = revisionSchema
  .extend({ mapping: z.unknown().meta({ description: 'As it was saved' }) })
  .meta({ id: 'SavedMapping' });

/** A mapping ready to be used; 422 `invalid_mapping` with every fault, those of templates with line and column. */
export function checkMapping(sent: unknown): CompiledMapping {
  const result = JSON.stringify(sent).length > MAPPING_MAX_BYTES ? TOO_LARGE : compileMapping(sent);
  if ('mapping' in result) return result.mapping;
  const faults = result.errors.map(toFault);
  throw unprocessable('invalid_mapping', summary(MAPPING, faults), faults);
}

const TOO_LARGE: { errors: MappingError[] } = {
  errors: [{ field: '', code: 'too_large', message: `is larger than ${MAPPING_MAX_BYTES} characters` }],
};

function toFault({ field, code, message, line, column }: MappingError): ErrorDetail {
  const place = line === undefined || column === undefined ? {} : { line, column };
  return { ...place, field: field || null, code, message };
}
