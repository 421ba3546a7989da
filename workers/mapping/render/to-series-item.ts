import { ALERT_FIELDS } from '../definition/schema.js';
import { type Rank, type Ranks, ranksOf } from '../series/ranks.js';
import type { Position, SeriesItem } from '../series/series-item.js';
import type { Status } from '../series/status-words.js';
import type { FieldResult, NormalizedAlert } from './results.js';

/** Returns what an alert with a `dedupKey` contributes to its series. */
export const toSeriesItem = (
  alert: NormalizedAlert,
  { receivedAt, id }: Position,
  { status, revision }: { status: Status; revision: number },
): SeriesItem => ({
  receivedAt,
  id: id.toLowerCase(),
  status,
  revision,
  eventCount: 1,
  ranks: ranksOfAlert(alert),
  values: ALERT_FIELDS.map((name) => alert.fields[name].value),
  custom: textsOf(alert.custom),
  errors: alert.faults,
});

function textsOf(custom: NormalizedAlert['custom']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, { value }] of Object.entries(custom)) if (value !== null) texts[name] = value;
  return texts;
}

const RANKS: Record<FieldResult['result'], Rank> = { missing: 0, defaulted: 1, resolved: 2 };

/** Returns the ranks of an alert's fields. Names each field, because this runs for each event. */
export function ranksOfAlert({ fields, custom, faults }: NormalizedAlert): Ranks {
  const { title, severity, description, source, service, environment, team } = fields;
  const start = digit(title) + digit(severity) + digit(description) + digit(source);
  let named = '';
  for (const name in custom) {
    const field = custom[name] as FieldResult;
    if (field.value === null && !faults.some((error) => error.field === `custom.${name}`)) continue;
    named += `${named && ','}"${name}":${RANKS[field.result]}`;
  }
  return ranksOf(start + digit(service) + digit(environment) + digit(team), named);
}

const digit = ({ result }: FieldResult): string => DIGITS[result];
const DIGITS: Record<FieldResult['result'], string> = { missing: '0', defaulted: '1', resolved: '2' };
