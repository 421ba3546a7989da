import { hash } from 'node:crypto';
import type { WrittenBody } from '../../../intake/intake.js';
import { isObject } from '../dialect.js';
import { fingerprintOfBytes, sortedBytes, type Texts } from './fingerprint.js';

/** An alert as it was sent, without labels that have no value and without times that are none. */
export interface PostedAlert {
  labels: Texts;
  annotations: Texts;
  startsAt: Time | null;
  endsAt: Time | null;
  generatorURL: string | null;
}

/** A time as it was sent. */
interface Time {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
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
  if (startsAt !== null && endsAt !== null && endsAt.at < startsAt.at)
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

/** Alerts of one rule have the same times. */
let latest: Time = { text: '', at: 0 };

/** Returns a time, null for none, or undefined for anything else. */
function timeOf(value: unknown): Time | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (value === latest.text) return latest;
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  if (value.startsWith(NO_TIME)) return null;
  latest = { text: value, at };
  return latest;
}

/**
 * Returns the event of an alert, in the form of Alertmanager's webhooks: one mapping serves both. What is firing lives until its `endsAt`.
 * @param receivedAt milliseconds since 1970
 */
export function eventOf(alert: PostedAlert, receivedAt: number): WrittenBody {
  const { labels, annotations, startsAt, generatorURL } = alert;
  const endsAt = alert.endsAt ?? timeAt(receivedAt + RESOLVE_TIMEOUT_MS);
  const status = endsAt.at > receivedAt ? 'firing' : 'resolved';
  const start = startsAt && startsAt.at > receivedAt + MAX_AHEAD_MS ? 'futureStartsAt' : 'startsAt';
  const bytes = sortedBytes(labels);
  // Written by itself: an object with all of it takes three times as long to make and to write.
  const starts = startsAt ? `"${start}":"${startsAt.text}",` : '';
  const generator = generatorURL === null ? '' : `"generatorURL":${JSON.stringify(generatorURL)},`;
  const written = `{"status":"${status}","labels":${JSON.stringify(labels)},"annotations":${JSON.stringify(annotations)},${starts}"endsAt":"${endsAt.text}",${generator}"fingerprint":"${fingerprintOfBytes(bytes)}"}`;
  return {
    raw: `{"status":"${status}","groupLabels":{},"commonLabels":{},"alerts":[${written}]}`,
    digest: hash('sha256', `${bytes}\xfe${sortedBytes(annotations)}`).slice(0, 32),
  };
}

const timeAt = (at: number): Time => ({ text: new Date(at).toISOString(), at });
