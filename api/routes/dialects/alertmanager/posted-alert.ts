import { hash } from 'node:crypto';
import type { WrittenBody } from '../../../intake/intake.js';
import { isObject } from '../dialect.js';
import { fingerprintOfPairs, type Pairs, sortedPairs } from './fingerprint.js';

/** An alert as it was sent, without labels that have no value and without times that are none. */
interface PostedAlert {
  /** Sorted. */
  labels: Pairs;
  annotations: Pairs;
  startsAt: string | null;
  endsAt: string | null;
  generatorURL: string | null;
}

/** How long an alert lives that does not say when it ends: Alertmanager's `resolve_timeout`. */
const RESOLVE_TIMEOUT_MS = 5 * 60_000;
/**
 * How far the clock of a sender may be ahead. A later start is not compared with others: once an alert with it is over, all that begin
 * before it would be outdated.
 */
export const MAX_AHEAD_MS = 60_000;
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,30})?(?:[Zz]|[-+]\d\d:\d\d)$/;
/** What programs in Go send in place of no time. */
const NO_TIME = '0001-01-01T00:00:00';

/** Returns an alert, or the reason why Alertmanager does not store it: not an error, of which millions in a list would take minutes. */
export function readAlert(value: unknown): PostedAlert | string {
  if (!isObject(value)) return 'an alert must be an object';
  const labels = pairsOf('labels', value.labels);
  if (typeof labels === 'string') return labels;
  if (labels.length === 0) return 'at least one label pair required';
  const annotations = pairsOf('annotations', value.annotations);
  if (typeof annotations === 'string') return annotations;
  const { generatorURL = null } = value;
  if (generatorURL !== null && typeof generatorURL !== 'string') return 'generatorURL must be a string';
  const [startsAt, endsAt] = [timeOf(value.startsAt), timeOf(value.endsAt)];
  if (startsAt === undefined) return `startsAt ${NOT_A_TIME}`;
  if (endsAt === undefined) return `endsAt ${NOT_A_TIME}`;
  if (startsAt !== null && endsAt !== null && Date.parse(endsAt) < Date.parse(startsAt))
    return 'start time must be before end time';
  return { labels: sortedPairs(labels), annotations, startsAt, endsAt, generatorURL };
}

const NOT_A_TIME = 'must be a time such as 2026-03-01T08:00:00.000Z';

/** Returns names and texts, without empty ones; or what is wrong with them. */
function pairsOf(field: string, value: unknown): Pairs | string {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) return `${field} must be an object`;
  const pairs: [string, string][] = [];
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') return `${field}.${name} must be a string`;
    if (name === '') return `invalid ${field}: a name is empty`;
    if (text !== '') pairs.push([name, text]);
  }
  return pairs;
}

/** Returns a time, null for none, or undefined for anything else. */
function timeOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value))) return undefined;
  return value.startsWith(NO_TIME) ? null : value;
}

/**
 * Returns the event of an alert, in the form of Alertmanager's webhooks: one mapping serves both. What is firing lives until its `endsAt`.
 * @param receivedAt milliseconds since 1970
 */
export function eventOf(alert: PostedAlert, receivedAt: number): WrittenBody {
  const { labels, annotations, startsAt, generatorURL } = alert;
  const endsAt = alert.endsAt ?? new Date(receivedAt + RESOLVE_TIMEOUT_MS).toISOString();
  const status = Date.parse(endsAt) > receivedAt ? 'firing' : 'resolved';
  const isAhead = startsAt !== null && Date.parse(startsAt) > receivedAt + MAX_AHEAD_MS;
  const written = {
    status,
    labels: Object.fromEntries(labels),
    annotations: Object.fromEntries(annotations),
    ...(startsAt === null ? {} : { [isAhead ? 'futureStartsAt' : 'startsAt']: startsAt }),
    endsAt,
    ...(generatorURL === null ? {} : { generatorURL }),
    fingerprint: fingerprintOfPairs(labels),
  };
  return {
    raw: JSON.stringify({ status, groupLabels: {}, commonLabels: {}, alerts: [written] }),
    digest: hash('sha256', JSON.stringify([labels, sortedPairs(annotations)])).slice(0, 32),
  };
}
