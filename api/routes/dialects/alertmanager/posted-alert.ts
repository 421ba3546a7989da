import { hash } from 'node:crypto';
import type { WrittenBody } from '../../../intake/intake.js';
import { isObject } from '../dialect.js';
import { fingerprintOf } from './fingerprint.js';

type Texts = Readonly<Record<string, string>>;

/** An alert as it was sent, without labels that have no value and without times that are none. */
interface PostedAlert {
  labels: Texts;
  annotations: Texts;
  startsAt: string | null;
  endsAt: string | null;
  generatorURL: string | null;
}

/** How long an alert lives that does not say when it ends: Alertmanager's `resolve_timeout`. */
const RESOLVE_TIMEOUT_MS = 5 * 60_000;
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,30})?(?:[Zz]|[-+]\d\d:\d\d)$/;
/** What programs in Go send in place of no time. */
const NO_TIME = '0001-01-01T00:00:00';

/** The reason why Alertmanager does not store an alert. */
export class InvalidAlert extends Error {}

/** @throws InvalidAlert */
export function readAlert(value: unknown): PostedAlert {
  if (!isObject(value)) throw new InvalidAlert('an alert must be an object');
  const labels = textsOf('labels', value.labels);
  if (Object.keys(labels).length === 0) throw new InvalidAlert('at least one label pair required');
  const { generatorURL = null } = value;
  if (generatorURL !== null && typeof generatorURL !== 'string')
    throw new InvalidAlert('generatorURL must be a string');
  const [startsAt, endsAt] = [timeOf('startsAt', value.startsAt), timeOf('endsAt', value.endsAt)];
  if (startsAt !== null && endsAt !== null && Date.parse(endsAt) < Date.parse(startsAt))
    throw new InvalidAlert('start time must be before end time');
  return { labels, annotations: textsOf('annotations', value.annotations), startsAt, endsAt, generatorURL };
}

/** Returns names and texts, without empty ones. */
function textsOf(field: string, value: unknown): Texts {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new InvalidAlert(`${field} must be an object`);
  const texts: [string, string][] = [];
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw new InvalidAlert(`${field}.${name} must be a string`);
    if (name === '') throw new InvalidAlert(`invalid ${field}: a name is empty`);
    if (text !== '') texts.push([name, text]);
  }
  return Object.fromEntries(texts);
}

function timeOf(field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value)))
    throw new InvalidAlert(`${field} must be a time such as 2026-03-01T08:00:00.000Z`);
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
  const written = {
    status,
    labels,
    annotations,
    ...(startsAt === null ? {} : { startsAt }),
    endsAt,
    ...(generatorURL === null ? {} : { generatorURL }),
    fingerprint: fingerprintOf(labels),
  };
  return {
    raw: JSON.stringify({ status, groupLabels: {}, commonLabels: {}, alerts: [written] }),
    digest: hash('sha256', JSON.stringify([sorted(labels), sorted(annotations)])).slice(0, 32),
  };
}

const sorted = (texts: Texts): [string, string][] =>
  Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1));
