import { ALERT_FIELDS, type TextRule } from '../definition/schema.js';
import { digitOf, OPENING, type Rank, type Ranks, ranksOf, resolvedRanks } from '../series/ranks.js';
import type { ItemStatus, Position, SeriesItem } from '../series/series-item.js';
import { resolutionOf } from '../series/stored-item.js';
import type { FieldResult, NormalizedAlert } from './results.js';

/** Returns what an alert with a `dedupKey` contributes to its series. */
export const toSeriesItem = (
  alert: NormalizedAlert,
  { receivedAt, id }: Position,
  { status, revision }: { status: ItemStatus; revision: number },
): SeriesItem => {
  const ranks = ranksOfAlert(alert);
  const values = ALERT_FIELDS.map((name) => alert.fields[name].value);
  return {
    receivedAt,
    id: id.toLowerCase(),
    status,
    origin: 'event',
    silentSince: null,
    occurrence: alert.series?.occurrence ?? null,
    final: alert.series?.final ?? false,
    revision,
    eventCount: 1,
    ranks: status === 'resolved' ? resolvedRanks(ranks) : ranks,
    values,
    custom: textsOf(alert.custom),
    errors: alert.faults,
    resolution: status === 'resolved' ? resolutionOf(values, ranks) : null,
  };
};

function textsOf(custom: NormalizedAlert['custom']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, { value }] of Object.entries(custom)) if (value !== null) texts[name] = value;
  return texts;
}

type FieldRanks = Readonly<Record<FieldResult['result'], Rank>>;
const RANKS: FieldRanks = { missing: 0, defaulted: 1, resolved: 2 };
const UPDATE_RANKS: FieldRanks = { missing: -1, defaulted: -1, resolved: 0.5 };
/** Of alerts that keep the texts that they were opened with. What an update says replaces them. */
const OPENING_RANKS: FieldRanks = { missing: 0, defaulted: OPENING, resolved: OPENING };
const CHANGE_RANKS: FieldRanks = { missing: -1, defaulted: -1, resolved: 2 };

/** Returns the ranks of an alert's fields. Names each field, because this runs for each event. */
export function ranksOfAlert({ fields, custom, faults, series }: NormalizedAlert): Ranks {
  const { ranks, digits } = series ? LADDERS[series.texts][series.status] : SINGLE;
  const { title, severity, description, source, service, environment, team, ownerEmail } = fields;
  const start = digits[title.result] + digits[severity.result] + digits[description.result];
  const end = digits[service.result] + digits[environment.result] + digits[team.result];
  // Left out as in items of earlier releases: without a text, any rank is the same.
  const owner = ownerEmail.result === 'missing' ? '' : digits[ownerEmail.result];
  let named = '';
  for (const name in custom) {
    const field = custom[name];
    if (!field) continue;
    if (field.value === null && !faults.some((error) => error.field === `custom.${name}`)) continue;
    named += `${named && ','}"${name}":${ranks[field.result]}`;
  }
  return ranksOf(start + digits[source.result] + end + owner, named);
}

const digitsOf = (ranks: FieldRanks): Record<FieldResult['result'], string> => ({
  missing: digitOf(ranks.missing),
  defaulted: digitOf(ranks.defaulted),
  resolved: digitOf(ranks.resolved),
});
const ladderOf = (ranks: FieldRanks) => ({ ranks, digits: digitsOf(ranks) });
const SINGLE = ladderOf(RANKS);
const UPDATE = ladderOf(UPDATE_RANKS);
const OPENED = ladderOf(OPENING_RANKS);
const CHANGE = ladderOf(CHANGE_RANKS);
/** How the fields of an item are ranked, by the rule of its mapping and its status. */
const LADDERS: Readonly<Record<TextRule, Readonly<Record<ItemStatus, typeof SINGLE>>>> = {
  newest: { firing: SINGLE, reopened: SINGLE, update: UPDATE, resolved: SINGLE },
  opening: { firing: OPENED, reopened: OPENED, update: CHANGE, resolved: SINGLE },
};
