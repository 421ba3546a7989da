import { hash } from 'node:crypto';
import { fingerprintOfBytes, sortedBytes, type Texts } from './fingerprint.js';

/** An alert as a client of Alertmanager's API posted it, without labels that have no value and without times that are none. */
export interface PostedAlert {
  labels: Texts;
  annotations: Texts;
  /** RFC 3339, as it was sent. */
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

/** Alerts of one rule have the same times, one or two. */
let [newer, older] = [
  { text: '', at: Number.NaN },
  { text: '', at: Number.NaN },
];

/** Returns a time of an alert in milliseconds since 1970; NaN if the text is none. */
export function timeAt(text: string): number {
  if (text === newer.text) return newer.at;
  if (text === older.text) return older.at;
  older = newer;
  newer = { text, at: Date.parse(text) };
  return newer.at;
}

/**
 * Returns the body of the event of an alert, in the form of Alertmanager's webhooks: one mapping serves both. What is firing lives until
 * its `endsAt`.
 * @param receivedAt milliseconds since 1970
 */
export function webhookOf(alert: PostedAlert, receivedAt: number, bytes = sortedBytes(alert.labels)) {
  const { labels, annotations, startsAt, generatorURL } = alert;
  const endsAt = alert.endsAt ?? new Date(receivedAt + RESOLVE_TIMEOUT_MS).toISOString();
  const status = timeAt(endsAt) > receivedAt ? 'firing' : 'resolved';
  const isAhead = startsAt !== null && timeAt(startsAt) > receivedAt + MAX_AHEAD_MS;
  const start = startsAt === null ? {} : isAhead ? { futureStartsAt: startsAt } : { startsAt };
  const generator = generatorURL === null ? {} : { generatorURL };
  const fingerprint = fingerprintOfBytes(bytes);
  const written = { status, labels, annotations, ...start, endsAt, ...generator, fingerprint };
  return { status, groupLabels: {}, commonLabels: {}, alerts: [written] };
}

/** Returns a digest of what an alert says, without its times. */
export const digestOf = ({ labels, annotations }: PostedAlert, bytes = sortedBytes(labels)): string =>
  hash('sha256', `${bytes}\xfe${sortedBytes(annotations)}`).slice(0, 32);

/** About what an alert takes in addition to its texts. */
const MEMBERS = 120;

/** Returns about how many UTF-16 code units an alert takes as JSON. */
export function sizeOf({ labels, annotations, generatorURL }: PostedAlert): number {
  return MEMBERS + sizeOfTexts(labels) + sizeOfTexts(annotations) + (generatorURL?.length ?? 0);
}

function sizeOfTexts(texts: Texts): number {
  let size = 0;
  for (const name in texts) size += name.length + (texts[name]?.length ?? 0) + 6;
  return size;
}
