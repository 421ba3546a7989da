import { z } from 'zod';
import { ALERT_STATES, ALERT_STATUSES, type Alert, RESOLVED_BY } from '../../../db/events/alerts/alerts.js';
import type { Principal } from '../../access/auth.js';
import { mappingErrorSchema } from '../events/schema.js';
import { shownOwner } from './owners.js';

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
    receivedAt: z.iso.datetime().meta({ description: 'When its first event was received' }),
    status: z.enum(ALERT_STATUSES).nullable().meta({
      description:
        '`null` without a `dedupKey`: nothing resolves the alert. A `test` is what the Test button of a vendor sends; it stands alone',
    }),
    dedupKey: text.meta({
      description:
        'Events of an integration with the same key are one alert until one resolves it. `null`: the alert has one event, or identical ones that were counted',
    }),
    startedAt: z.iso.datetime().meta({ description: 'The same as `receivedAt`' }),
    lastEventAt: z.iso.datetime(),
    resolvedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: '`null` while it fires, and without a `dedupKey`' }),
    resolvedBy: z.enum(RESOLVED_BY).nullable().meta({
      description:
        '`event`: the source reported the end. `person`: someone resolved it. `expiry`: no event came for as long as its integration says',
    }),
    resolution: text.meta({
      description: 'What the event or the person that resolved it said about the end',
    }),
    peakSeverity: text.meta({
      description: 'The most severe severity that it had. `null` without a severity or a `dedupKey`',
    }),
    peakAt: z.iso.datetime().nullable().meta({ description: 'When it first had its `peakSeverity`' }),
    eventCount: z.number().int(),
    previousAlertId: z
      .uuid()
      .nullable()
      .meta({ description: 'The alert with the same `dedupKey`, or of identical events, before this one' }),
    title: text,
    severity: text,
    description: text,
    source: text,
    service: text,
    environment: text,
    team: text,
    ownerEmail: text.meta({
      description:
        'Whom the alert concerns. Without the scope `developer_records:read` masked: `m***@example.com`',
    }),
    custom: z.record(z.string(), z.string()),
    faults: z.array(mappingErrorSchema).meta({ description: 'The errors that make it incomplete' }),
  })
  .meta({ id: 'Alert' });

/** Returns an alert as a principal sees it. */
export const presentAlert = (
  { seriesKey: _, severityRank: _rank, ...alert }: Alert,
  principal: Principal,
): z.input<typeof alertSchema> => ({
  ...alert,
  ownerEmail: shownOwner(principal, alert.ownerEmail),
  receivedAt: alert.receivedAt.toISOString(),
  startedAt: alert.receivedAt.toISOString(),
  lastEventAt: alert.lastEventAt.toISOString(),
  resolvedAt: alert.resolvedAt?.toISOString() ?? null,
  peakAt: alert.peakAt?.toISOString() ?? null,
});
