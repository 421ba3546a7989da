import { z } from 'zod';
import { ALERT_STATES, ALERT_STATUSES, RESOLVED_BY } from '../../../db/events/alerts/alerts.js';
import { RANKED_SEVERITIES } from '../../../db/events/alerts/severity-rank.js';
import { checkEmail } from '../../../workers/identities/record/identity-record.js';
import { anyOf } from '../../endpoint/parameters.js';
import { timeFilter } from '../../lists/time-query.js';

const text = z.string().min(1).max(255);
/** In the form of identities' emails, as the alerts have it. */
const ownerEmail = z
  .string()
  .meta({ format: 'email', maxLength: 254 })
  .transform((raw, context) => {
    const email = checkEmail(raw);
    if (typeof email === 'string') return email;
    context.addIssue({ code: 'custom', message: email.message, params: { code: email.code } });
    return z.NEVER;
  });
const exactly = (name: string) => anyOf(text, `Only alerts with exactly this ${name}`);

/** The query parameters that select alerts, in addition to `from` and `to`. */
export const alertFilterQuery = {
  webhookId: anyOf(z.uuid(), 'Only alerts of this integration'),
  state: anyOf(z.enum(ALERT_STATES), '`incomplete`: a required field is missing'),
  status: anyOf(
    z.enum(ALERT_STATUSES),
    'Only alerts that fire now, that were resolved, or that are tests. Other alerts without a key are none of these',
  ),
  dedupKey: text.optional().meta({ description: 'Only alerts with exactly this deduplication key' }),
  severity: anyOf(text, 'Case-insensitive: `Critical` finds `critical`'),
  source: exactly('source'),
  service: exactly('service'),
  environment: exactly('environment'),
  team: exactly('team'),
  ownerEmail: anyOf(ownerEmail, 'Only alerts of this owner. Needs the scope `developer_records:read`'),
  peakSeverity: anyOf(text, 'The most severe severity that an alert had, case-insensitive'),
  severityAtLeast: z.enum(RANKED_SEVERITIES).optional().meta({
    description:
      'Only alerts that are at least so severe: `critical`, `error`, `warning`, `info`. Other words have no rank',
  }),
  peakAtLeast: z.enum(RANKED_SEVERITIES).optional().meta({
    description: 'Only alerts that were at least so severe at some time',
  }),
  resolvedBy: anyOf(
    z.enum(RESOLVED_BY),
    'Only alerts that were resolved by an event, a person or their expiry',
  ),
  lastEventFrom: timeFilter('Only alerts whose last event was received at this time or later'),
  lastEventTo: timeFilter('Only alerts whose last event was received before this time'),
  search: text.optional().meta({ description: 'Any part of the title or the description, case-insensitive' }),
};

/** Tells the client how to make a count faster that takes the database too long. */
export const NARROW_COUNT = 'Narrow the count with `webhookId`, or with `from` and `to`.';

export const countedFromSchema = z.iso.datetime().nullable().meta({
  description:
    '`null`: all alerts of the time range are counted. Otherwise there are too many, and only the newest, received at this time or later, are counted',
});
