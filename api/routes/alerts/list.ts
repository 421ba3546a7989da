import { listAlerts as readAlerts } from '../../../db/events/alerts/alert-list.js';
import { alertExport } from '../../../workers/queues/contracts/alert-export.js';
import { defineArrivalList } from '../../lists/arrival-list.js';
import { alertFilterQuery } from './filters.js';
import { orderOf, sortQuery } from './order.js';
import { checkOwnerFilter, seesOwners } from './owners.js';
import { alertSchema, presentAlert } from './schema.js';

export const listAlerts = defineArrivalList({
  path: '/v2/alerts',
  operationId: 'listAlerts',
  tag: 'Alert',
  summary: 'List alerts, by default the newest first: a page as JSON, or all of them as CSV',
  filters: { ...alertFilterQuery, ...sortQuery },
  order: { names: ['sortKey', 'sortOrder'], of: orderOf },
  row: alertSchema,
  read: readAlerts,
  present: presentAlert,
  checkFilters: checkOwnerFilter,
  contract: alertExport,
  paramsFor: (principal) => ({ owners: seesOwners(principal) }),
});
