import { z } from 'zod';
import type { IdentityFilters, IdentitySort } from '../../../db/identities/identity-query.js';
import { SORT_KEYS, SORT_ORDERS } from '../../../db/identities/identity-query.js';
import { parseIntegrationId } from '../../../workers/identities/record/integration-id.js';
import type { ExportParams } from '../../../workers/queues/contracts/identity-export.js';
import { commaList, isoTime, repeatable } from '../../endpoint/parameters.js';
import { escapeFormulas } from '../../lists/list-format.js';
import { EMAIL_DOC, email, IDENTITY_DOC, INTEGRATION_ID_DOC, identity, integrationId } from './record.js';

const MAX_VALUES = 1_000;
const MAX_SEARCH = 255;

/** An `integrationId` as text: in a query or a path. */
export const integrationIdText = z
  .string()
  .transform((text, context) => {
    const value = parseIntegrationId(text.trim());
    if (typeof value !== 'object') return value;
    context.addIssue({ code: 'custom', message: value.message, params: { code: value.code } });
    return z.NEVER;
  })
  .meta({ override: INTEGRATION_ID_DOC });

/** The parameters that are the same in a query and in a body: single values. */
const single = {
  searchKey: z
    .enum(['email', 'identity'])
    .optional()
    .meta({ description: 'Which field to search for `searchValue`' }),
  searchValue: z
    .string()
    .min(1)
    .max(MAX_SEARCH)
    .optional()
    .meta({ description: 'Any part of the field, in any case. `%` and `_` have no special meaning' }),
  updatedSince: isoTime
    .optional()
    .meta({ description: 'Only accounts that were created or got another owner at that time or later' }),
  sortKey: z.enum(SORT_KEYS).optional().meta({
    description:
      'Sort by this field, then by account system and identity. Default: `integrationId` for pages, `email` for files',
  }),
  sortOrder: z.enum(SORT_ORDERS).default('asc').meta({ description: 'Ascending or descending' }),
};

const listDoc = (description: string, items: object) => ({
  description,
  override: { type: 'array', items, minItems: 1, maxItems: MAX_VALUES },
});

/** Filters and sort as query parameters. */
export const filterQuery = {
  emails: commaList
    .pipe(z.array(email).max(MAX_VALUES))
    .optional()
    .meta(
      listDoc(
        'Only accounts of these owners. Separate several by commas, or repeat the parameter',
        EMAIL_DOC,
      ),
    ),
  integrationIds: commaList
    .pipe(z.array(integrationIdText).max(MAX_VALUES))
    .optional()
    .meta(
      listDoc(
        'Only accounts in these account systems. Separate several by commas, or repeat the parameter',
        INTEGRATION_ID_DOC,
      ),
    ),
  identities: repeatable
    .pipe(z.array(identity).max(MAX_VALUES))
    .optional()
    .meta(
      listDoc(
        'Only these accounts. Repeat the parameter for several, because a name may contain commas',
        IDENTITY_DOC,
      ),
    ),
  ...single,
  escapeFormulas,
};

/** Filters and sort as members of a JSON body. */
export const filterBody = {
  emails: z.array(email).min(1).max(MAX_VALUES).optional(),
  integrationIds: z.array(integrationId).min(1).max(MAX_VALUES).optional(),
  identities: z.array(identity).min(1).max(MAX_VALUES).optional(),
  ...single,
  escapeFormulas: z.boolean().optional(),
};

export type GivenFilters = z.infer<z.ZodObject<typeof filterQuery>>;

/** Checks that `searchKey` and `searchValue` are given together, and that the value can occur in the field. */
export function checkSearch(given: { searchKey?: unknown; searchValue?: unknown }, context: z.RefinementCtx) {
  if (given.searchKey === 'email' && /\S\s+\S/.test(String(given.searchValue ?? '')))
    context.addIssue({
      code: 'custom',
      path: ['searchValue'],
      message: 'must not contain spaces, because no email does',
    });
  if ((given.searchKey === undefined) === (given.searchValue === undefined)) return;
  const path = [given.searchKey === undefined ? 'searchKey' : 'searchValue'];
  context.addIssue({
    code: 'custom',
    path,
    message: 'is required: searchKey and searchValue go together',
    params: { code: 'missing' },
  });
}

/** Returns the filters in a canonical form, so that equal lists have the same cursors. */
export function toFilters(given: GivenFilters): IdentityFilters {
  const { emails, integrationIds, identities, searchKey: key, searchValue, updatedSince } = given;
  return {
    ...(emails ? { emails: [...new Set(emails)].sort() } : {}),
    ...(integrationIds ? { integrationIds: [...new Set(integrationIds)].sort((a, b) => a - b) } : {}),
    ...(identities ? { identities: [...new Set(identities)].sort() } : {}),
    ...(key && searchValue ? { search: { key, value: searchValue.normalize('NFC') } } : {}),
    ...(updatedSince ? { updatedSince: new Date(updatedSince) } : {}),
  };
}

export const toSort = (
  { sortKey, sortOrder }: GivenFilters,
  defaultKey: IdentitySort['key'],
): IdentitySort => ({ key: sortKey ?? defaultKey, order: sortOrder });

/** Returns the parameters of an export job. */
export const toExportParams = (
  given: GivenFilters,
  format: ExportParams['format'],
  keptHours: number,
): ExportParams => ({
  version: 1,
  filters: toFilters(given),
  sort: toSort(given, 'email'),
  format,
  escapeFormulas: given.escapeFormulas ?? false,
  keptHours,
});
