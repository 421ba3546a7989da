import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { findTableMappings } from '../../../db/webhooks/mapping-revisions.js';
import { mappingSchema } from '../../../workers/mapping/index.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../endpoint/route.js';
import { TABLE_PARAMS } from './schema.js';

export const userSchema = z
  .object({
    id: z.uuid().meta({ description: 'The integration' }),
    name: z.string(),
    revision: z.number().int().meta({ description: 'The current revision of its mapping' }),
    lookups: z.array(z.string()).meta({ description: 'The lookups of the mapping that read the table' }),
    links: z.object({
      remap: z.string().meta({ description: 'Where to send a remap, which reads the table again' }),
    }),
  })
  .meta({ id: 'TableUser' });

export const listTableWebhooks = defineRoute({
  method: 'get',
  path: '/v2/tables/{name}/webhooks',
  operationId: 'listTableWebhooks',
  tag: 'Table',
  summary: 'List the integrations whose current mapping looks something up in a table',
  description:
    'New events find the rows of a new revision at once; stored alerts stay as they are. A remap with `{"dryRun":true}` counts under `changedByLookups` ' +
    'how many would change.',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: TABLE_PARAMS,
  responses: {
    200: { description: 'The integrations', body: z.object({ ...success, data: z.array(userSchema) }) },
    ...failures(400),
  },
  handle: async ({ ctx, params: { name: table }, services: { database } }) => {
    const found = await findTableMappings(database, table);
    const data = found.flatMap(({ webhookId: id, name, revision, mapping }) => {
      const lookups = lookupsIn(mapping, table);
      return lookups.length === 0
        ? []
        : { id, name, revision, lookups, links: { remap: `/v2/webhooks/${id}/remap` } };
    });
    ctx.body = { status: 'success', data };
  },
});

const lookupsIn = (mapping: string, table: string): string[] =>
  readersIn(mapping, table).map(([name]) => name);

/** Returns how many texts the keys have with which mappings look rows up in a table, once for each lookup. */
export async function widthsOfKeys(database: Database, table: string): Promise<number[]> {
  const found = await findTableMappings(database, table);
  return found.flatMap(({ mapping }) =>
    readersIn(mapping, table).map(([, { key }]) => (Array.isArray(key) ? key.length : 1)),
  );
}

/** Returns the lookups of a mapping that read a table. */
function readersIn(mapping: string, table: string) {
  const { data } = mappingSchema.safeParse(JSON.parse(mapping));
  return Object.entries(data?.lookups ?? {}).filter(([, lookup]) => lookup.table === table);
}
