import { z } from 'zod';
import {
  type AuditCount,
  type AuditFilters,
  countAudit,
  MAX_COUNTED_ENTRIES,
} from '../../../db/audit/list-audit.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { auditFilterQuery } from './schema.js';

const count = z.number().int();
const values = z.array(z.object({ value: z.string(), entries: count }));
const NAMES = ['actorKind', 'action', 'objectKind'] as const;

/** Exported for the types of the console. */
export const auditFacetsSchema = z
  .object({
    entries: count.meta({ description: 'Entries that match all filters' }),
    countedFrom: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `\`null\`: all are counted. Otherwise only the newest ${MAX_COUNTED_ENTRIES} are, from this time on`,
      }),
    actorKind: values.meta({
      description: 'The most frequent first. The filter by the same property does not apply',
    }),
    action: values,
    objectKind: values,
  })
  .meta({ id: 'AuditFacets' });

export const getAuditFacets = defineRoute({
  method: 'get',
  path: '/v2/audit/facets',
  operationId: 'getAuditFacets',
  tag: 'Audit log',
  summary: 'Count entries of the audit log by kind of actor, action and kind of object',
  description: 'Takes the filters of the list.',
  scopes: ['audit:read'],
  query: z.strictObject(auditFilterQuery),
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: { description: 'The counts', body: z.object({ ...success, data: auditFacetsSchema }) },
    ...failures(400, 503),
  },
  handle: async ({ ctx, query, principal, services }) => {
    const { actorKind, action, objectKind, ...others } = query;
    const counts = await readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: 'Narrow the count with `from` and `to`.',
      read: (database, withinMs) => countAudit(database, others, withinMs),
    });
    ctx.body = { status: 'success', data: toFacets(counts, { actorKind, action, objectKind }) };
  },
});

type Chosen = Pick<AuditFilters, (typeof NAMES)[number]>;

function toFacets(counts: readonly AuditCount[], chosen: Chosen): z.input<typeof auditFacetsSchema> {
  const matches = (one: AuditCount, except?: (typeof NAMES)[number]) =>
    NAMES.every((name) => {
      const wanted = chosen[name];
      return name === except || wanted === undefined || [wanted].flat().includes(one[name]);
    });
  const facet = (name: (typeof NAMES)[number]) => {
    const sums = new Map<string, number>();
    for (const one of counts)
      if (matches(one, name)) sums.set(one[name], (sums.get(one[name]) ?? 0) + one.entries);
    return [...sums]
      .map(([value, entries]) => ({ value, entries }))
      .sort((one, other) => other.entries - one.entries);
  };
  const oldest = Math.min(...counts.map((one) => one.oldest.getTime()));
  return {
    entries: sum(counts.filter((one) => matches(one))),
    countedFrom: sum(counts) < MAX_COUNTED_ENTRIES ? null : new Date(oldest).toISOString(),
    actorKind: facet('actorKind'),
    action: facet('action'),
    objectKind: facet('objectKind'),
  };
}

const sum = (counts: readonly AuditCount[]): number => counts.reduce((all, { entries }) => all + entries, 0);
