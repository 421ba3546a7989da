import { z } from 'zod';
import { ALERT_STATES, type Alert } from '../../../db/events/alerts.js';
import { mappingErrorSchema } from '../events/events.js';

const text = z.string().nullable();

export const alertSchema = z
  .object({
    id: z.uuid(),
    eventId: z.uuid(),
    webhookId: z.uuid(),
    revision: z
      .number()
      .int()
      .meta({ description: 'Revision of the mapping that was used. 0: there was no mapping' }),
    state: z.enum(ALERT_STATES),
    receivedAt: z.iso.datetime(),
    title: text,
    severity: text,
    description: text,
    source: text,
    service: text,
    environment: text,
    team: text,
    custom: z.record(z.string(), z.string()),
    faults: z.array(mappingErrorSchema).meta({ description: 'The errors that make it incomplete' }),
  })
  .meta({ id: 'Alert' });

export const presentAlert = (alert: Alert): z.input<typeof alertSchema> => ({
  ...alert,
  receivedAt: alert.receivedAt.toISOString(),
});
