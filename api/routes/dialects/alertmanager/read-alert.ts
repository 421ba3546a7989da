import type { Texts } from '../../../../workers/alertmanager/fingerprint.js';
import { type PostedAlert, timeAt } from '../../../../workers/alertmanager/posted-alert.js';
import { isObject } from '../dialect.js';

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,30})?(?:[Zz]|[-+]\d\d:\d\d)$/;
/** What programs in Go send in place of no time. */
const NO_TIME = '0001-01-01T00:00:00';

/** Returns an alert, or the reason why Alertmanager does not store it: not an error, of which millions in a list would take minutes. */
export function readAlert(value: unknown): PostedAlert | string {
  if (!isObject(value)) return 'an alert must be an object';
  const labels = textsOf('labels', value.labels);
  if (typeof labels === 'string') return labels;
  if (isEmpty(labels)) return 'at least one label pair required';
  const annotations = textsOf('annotations', value.annotations);
  if (typeof annotations === 'string') return annotations;
  const { generatorURL = null } = value;
  if (generatorURL !== null && typeof generatorURL !== 'string') return 'generatorURL must be a string';
  const [startsAt, endsAt] = [timeOf(value.startsAt), timeOf(value.endsAt)];
  if (startsAt === undefined) return `startsAt ${NOT_A_TIME}`;
  if (endsAt === undefined) return `endsAt ${NOT_A_TIME}`;
  if (startsAt !== null && endsAt !== null && timeAt(endsAt) < timeAt(startsAt))
    return 'start time must be before end time';
  return { labels, annotations, startsAt, endsAt, generatorURL };
}

const NOT_A_TIME = 'must be a time such as 2026-03-01T08:00:00.000Z';

const NONE: Texts = {};

function isEmpty(texts: Texts): boolean {
  for (const _ in texts) return false;
  return true;
}

/** Returns names and texts, without empty ones; or what is wrong with them. */
function textsOf(field: string, value: unknown): Texts | string {
  if (value === undefined || value === null) return NONE;
  if (!isObject(value)) return `${field} must be an object`;
  if (!areTexts(value)) {
    const name = Object.keys(value).find((name) => typeof value[name] !== 'string');
    return name === undefined ? `invalid ${field}: a name is empty` : `${field}.${name} must be a string`;
  }
  for (const name in value) if (value[name] === '') return withoutEmpty(value);
  return value;
}

function areTexts(value: Readonly<Record<string, unknown>>): value is Texts {
  for (const name in value) if (typeof value[name] !== 'string' || name === '') return false;
  return true;
}

const withoutEmpty = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** Returns a time, null for none, or undefined for anything else. */
function timeOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(timeAt(value))) return undefined;
  return value.startsWith(NO_TIME) ? null : value;
}
