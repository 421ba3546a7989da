import { z } from 'zod';
import { listDestinations as readDestinations } from '../../../db/outbox/destinations.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { tagRevision } from '../../http/entity-tag.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';
import { presentDestination, presentDestinations } from './present.js';
import { destinationSchema } from './schema.js';

const listQuery = z.strictObject(pageQuery);
const scopes = ['destinations:read', 'destinations:write'] as const;

export const listDestinations = defineRoute({
  method: 'get',
  path: '/v2/destinations',
  operationId: 'listDestinations',
  tag: 'Destination',
  summary: 'List destinations, the newest first',
  scopes,
  query: listQuery,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(destinationSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query, services: { database, intake } }) => {
    await sendPage(ctx, {
      page: query,
      filters: {},
      read: async ({ limit, after }) => {
        const place = after && { createdAt: after.at, id: after.id };
        const destinations = await readDestinations(database, { limit, after: place });
        return presentDestinations(database, destinations, intake.box);
      },
      position: timePosition,
      positionOf: ({ createdAt, id }) => [new Date(createdAt), id],
      present: (destination) => destination,
    });
  },
});

export const getDestination = defineRoute({
  method: 'get',
  path: '/v2/destinations/{id}',
  operationId: 'getDestination',
  etag: true,
  tag: 'Destination',
  summary: 'Get a destination',
  scopes,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The destination', body: z.object({ ...success, data: destinationSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services: { database, intake } }) => {
    const data = await presentDestination(database, id, intake.box);
    ctx.body = { status: 'success', data };
    tagRevision(ctx, String(data.revision));
  },
});
