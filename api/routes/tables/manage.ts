import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { greatestAcceptance } from '../../../db/jobs/jobs.js';
import type { LookupTable } from '../../../db/lookups/lookup-tables.js';
import {
  listRevisions,
  deleteTable as removeTable,
  revertTable as revert,
} from '../../../db/lookups/revisions.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_QUERY } from '../../endpoint/route.js';
import { readIfMatchTag } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { oneTable, presentTable, requireExpected, requireTable, TABLE_PARAMS } from './schema.js';

const revertBody = z.strictObject({
  revision: z.number().int().positive().meta({ description: 'One of the revisions that are kept' }),
});

/** Returns an acceptance number above that of every upload so far, also of those that have not ended. */
const aboveUploads = async (database: Database): Promise<number> => (await greatestAcceptance(database)) + 1;

const MAX_NAMED = 20;

/** Says which revisions of a table can be the active one. */
async function keptRevisions(database: Database, id: number): Promise<string> {
  const kept = await listRevisions(database, id, { limit: MAX_NAMED, before: undefined });
  return `revisions ${kept.map(({ revision }) => revision).join(', ')} are kept`;
}

export const revertTable = defineRoute({
  method: 'post',
  path: '/v2/tables/{name}/revert',
  operationId: 'revertTable',
  tag: 'Table',
  summary: 'Make an earlier revision of a lookup table the active one',
  description:
    'An upload that was accepted before and has not ended yet does not become the active revision any more.',
  scopes: ['tables:write'],
  idempotent: true,
  query: NO_QUERY,
  params: TABLE_PARAMS,
  requestBody: { 'application/json': revertBody },
  responses: { 200: { description: 'The table', body: oneTable }, ...failures(400, 404, 415) },
  handle: async (input) => {
    const { revision } = await readJson(input.ctx, revertBody, input.once);
    await changeOnce(input, async (database) => {
      const before = await requireTable({ database }, input.params.name);
      const { id, name } = before;
      if (!(await revert(database, { id, revision }, await aboveUploads(database))))
        throw notFound('revision', await keptRevisions(database, id));
      const table = await requireTable({ database }, name);
      const audit = changed(['table', name, name], recorded(before), recorded(table));
      return { status: 200, body: { status: 'success', data: presentTable(table) }, audit };
    });
  },
});

export const deleteTable = defineRoute({
  method: 'delete',
  path: '/v2/tables/{name}',
  operationId: 'deleteTable',
  tag: 'Table',
  summary: 'Delete a lookup table with all its revisions',
  description: 'Lookups in it find nothing then. An upload that was accepted before does not bring it back.',
  scopes: ['tables:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: TABLE_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(400, 404, 412) },
  handle: async (input) => {
    const isExpected = readIfMatchTag(input.ctx);
    await changeOnce(input, async (database) => {
      const table = await requireTable({ database }, input.params.name);
      requireExpected(isExpected, table);
      await removeTable(database, table.id, await aboveUploads(database));
      const audit = changed(['table', table.name, table.name], recorded(table), null);
      return { status: 204, body: null, audit };
    });
  },
});

/** What the audit log says of a table: its revision is what is changed. */
const recorded = (table: LookupTable) =>
  Object.assign(presentTable(table), { activeRevision: table.revision });
