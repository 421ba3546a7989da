import { z } from 'zod';
import { Deadline } from '../../../db/client/deadline.js';
import { EVENT_STATES, listEvents as readEvents } from '../../../db/events/events.js';
import { eventExport } from '../../../workers/queues/contracts/event-export.js';
import { anyOf } from '../../endpoint/parameters.js';
import { defineArrivalList } from '../../lists/arrival-list.js';
import { pageWithOutcomes } from './outcomes.js';
import { eventSchema, presentEvent } from './schema.js';

export const listEvents = defineArrivalList({
  path: '/v2/events',
  operationId: 'listEvents',
  tag: 'Event',
  summary: 'List events without their bodies, the newest first: a page as JSON, or all of them as CSV',
  filters: {
    webhookId: anyOf(z.uuid(), 'Only events of this integration'),
    state: anyOf(z.enum(EVENT_STATES), 'Only events with this outcome'),
  },
  row: eventSchema,
  read: async (database, filters, page) => {
    const deadline = new Deadline(page.withinMs);
    return pageWithOutcomes(database, await readEvents(database, filters, page), deadline);
  },
  present: presentEvent,
  contract: eventExport,
});
