import { z } from 'zod';
import { listAlerts as readAlerts } from '../../../db/events/alert-list.js';
import { ALERT_STATES, ALERT_STATUSES } from '../../../db/events/alerts.js';
import { alertExport } from '../../../workers/queues/contracts/alert-export.js';
import { defineArrivalList } from '../../lists/arrival-list.js';
import { alertSchema, presentAlert } from './schema.js';

const exactly = z.string().min(1).max(255).optional();

export const listAlerts = defineArrivalList({
  path: '/v2/alerts',
  operationId: 'listAlerts',
  tag: 'Alert',
  summary: 'List alerts, the newest first: a page as JSON, or all of them as CSV',
  filters: {
    webhookId: z.uuid().optional().meta({ description: 'Only alerts of this integration' }),
    state: z.enum(ALERT_STATES).optional().meta({ description: '`incomplete`: a required field is missing' }),
    status: z.enum(ALERT_STATUSES).optional().meta({
      description: 'Only alerts that fire now, or that were resolved. Alerts without a key are neither',
    }),
    dedupKey: exactly.meta({ description: 'Only alerts with exactly this deduplication key' }),
    severity: exactly.meta({ description: 'Case-insensitive: `Critical` finds `critical`' }),
    source: exactly.meta({ description: 'Only alerts with exactly this source' }),
    service: exactly.meta({ description: 'Only alerts with exactly this service' }),
    environment: exactly.meta({ description: 'Only alerts with exactly this environment' }),
    team: exactly.meta({ description: 'Only alerts with exactly this team' }),
    search: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Any part of the title or the description, case-insensitive' }),
  },
  row: alertSchema,
  read: readAlerts,
  present: presentAlert,
  contract: alertExport,
});
