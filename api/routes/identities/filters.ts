import { z } from 'zod';
import type { IdentityFilters, IdentitySort } from '../../../db/identities/identity-query.js';
import { SORT_KEYS, SORT_ORDERS } from '../../../db/identities/identity-query.js';
import { parseIntegrationId } from '../../../workers/identities/record/identity-record.js';
import type { ExportParams } from '../../../workers/queues/contracts/identity-export.js';
import { commaList, isoTime, repeatable } from '../../endpoint/parameters.js';
import { escapeFormulas } from '../../lists/list-format.js';
import { EMAIL_DOC, email, IDENTITY_DOC, INTEGRATION_ID_DOC, identity, integrationId } from './record.js';

const MAX_VALUES = 1_000;
const MAX_SEARCH = 255;

const integrationIdText = z
  .string()
  .transform((text, context) => {
    const value = parseIntegrationId(text.trim());
    if (typeof value !== 'object') return value;
    context.addIssue({ code: 'custom', message: value.message, params: { code: value.code } });
    return z.NEVER;
  })
  .meta({ override: INTEGRATION_ID_DOC });

/** What both ways of asking have alike: single values. */
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
    .meta({ description: 'Any part of it, in any case; % and _ stand for themselves' }),
  updatedSince: isoTime
    .optional()
    .meta({ description: 'Created or given another owner at that time or later' }),
  sortKey: z.enum(SORT_KEYS).optional().meta({
    description:
      'Sort by this field; ties by integration and identity. Pages default to `integrationId`, files to `email`',
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
    .meta(listDoc('Only accounts of these owners; comma-separated, repeated, or both', EMAIL_DOC)),
  integrationIds: commaList
    .pipe(z.array(integrationIdText).max(MAX_VALUES))
    .optional()
    .meta(
      listDoc('Only accounts in these integrations; comma-separated, repeated, or both', INTEGRATION_ID_DOC),
    ),
  identities: repeatable
    .pipe(z.array(identity).max(MAX_VALUES))
    .optional()
    .meta(listDoc('Only these accounts; repeat the parameter, because a name may hold commas', IDENTITY_DOC)),
  ...single,
  escapeFormulas,
};

/** The same as members of a JSON body. */
export const filterBody = {
  emails: z.array(email).min(1).max(MAX_VALUES).optional(),
  integrationIds: z.array(integrationId).min(1).max(MAX_VALUES).optional(),
  identities: z.array(identity).min(1).max(MAX_VALUES).optional(),
  ...single,
  escapeFormulas: z.boolean().optional(),
};

export type GivenFilters = z.infer<z.ZodObject<typeof filterQuery>>;

/** `searchKey` and `searchValue` go together. */
export function checkSearch(given: { searchKey?: unknown; searchValue?: unknown }, context: z.RefinementCtx) {
  if ((given.searchKey === undefined) === (given.searchValue === undefined)) return;
  const path = [given.searchKey === undefined ? 'searchKey' : 'searchValue'];
  context.addIssue({
    code: 'custom',
    path,
    message: 'is missing: the two go together',
    params: { code: 'missing' },
  });
}

/** The filters in one form, so that lists which hold the same have the same cursors. */
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

/** What a worker needs to make the file. */
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
