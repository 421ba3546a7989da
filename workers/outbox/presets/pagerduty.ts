import { createHash } from 'node:crypto';
import { titleOf } from './chat.js';
import { CUT_NOTE, Cutter, inOneLine, jsonBytes, jsonLength, readable } from './cutter.js';
import type { Preset, RenderedBody, Told, Verdict } from './preset.js';
import { withoutEmpty } from './records.js';
import { judgeStatus, type Received } from './verdicts.js';

/** In characters. */
const SUMMARY = 1_024;
const KEY = 255;
/** In bytes. The custom fields are left out of a larger event, which PagerDuty would reject. */
const EVENT = 512_000;
const DESCRIPTION = 100_000;
/** Of the custom details: says that something was cut. */
const NOTE = 'muster';

const SEVERITIES = ['critical', 'error', 'warning', 'info'];
/** PagerDuty needs one of its words. It notifies of an `error` as of `critical`: rather that than a missed alert. */
const OTHER_SEVERITY = 'error';

/** For the Events API v2. The secret is the routing key, which is part of the body. */
export const pagerduty: Preset = {
  name: 'pagerduty',
  title: 'PagerDuty',
  mode: 'latest',
  ratePerSecond: 2,
  isUrlSecret: false,
  isSigned: false,
  needsSecret: true,
  render,
  judge,
};

function render(told: Told, secret: string | null): RenderedBody {
  const event = { routing_key: secret ?? '', dedup_key: incidentKey(told) };
  const text =
    told.type === 'alert.resolved'
      ? JSON.stringify({ ...event, event_action: 'resolve' })
      : triggerText(told, event);
  return { contentType: 'application/json', text };
}

function triggerText(told: Told, event: object): string {
  const whole = JSON.stringify({ ...event, ...trigger(told, true) });
  return Buffer.byteLength(whole) <= EVENT ? whole : JSON.stringify({ ...event, ...trigger(told, false) });
}

/** Returns the key by which PagerDuty finds the incident of an alert again. A test must not resolve a genuine one. */
function incidentKey({ id, alert, isTest }: Told): string {
  if (isTest) return `muster-test:${id}`;
  const key = `${alert.webhookId}:${alert.dedupKey ?? alert.id}`.toWellFormed();
  if (jsonLength(key) <= KEY) return key;
  return `muster:${createHash('sha256').update(key).digest('hex')}`;
}

function trigger({ at, alert, isTest }: Told, hasCustom: boolean) {
  const cutter = new Cutter((text) => text);
  const bytes = new Cutter((text) => text, jsonBytes);
  const short = (text: string | null) => cutter.fit(inOneLine(text ?? ''), SUMMARY);
  const summary = cutter.fit(`${isTest ? 'TEST: ' : ''}${titleOf(alert)}`, SUMMARY);
  const own = {
    severity: short(alert.severity),
    description: bytes.fit(readable(alert.description ?? ''), DESCRIPTION),
    environment: short(alert.environment),
    team: short(alert.team),
    key: short(alert.dedupKey),
    integration: short(alert.webhookName),
    first_seen: alert.startedAt,
  };
  const source = short(alert.source) || own.integration || 'Muster';
  const parts = { component: short(alert.service), group: own.environment };
  const isCut = !hasCustom || cutter.note.length + bytes.note.length > 0;
  return {
    event_action: 'trigger',
    payload: {
      summary,
      source,
      severity: isTest ? 'info' : severityOf(alert.severity),
      timestamp: at,
      ...withoutEmpty(parts),
      custom_details: {
        ...(hasCustom ? withoutEmpty(customOf(alert.custom, [...Object.keys(own), NOTE])) : {}),
        ...withoutEmpty(own),
        ...(isCut ? { [NOTE]: CUT_NOTE } : {}),
      },
    },
    client: 'Muster',
    ...(alert.link ? { client_url: alert.link, links: [{ href: alert.link, text: 'Open in Muster' }] } : {}),
  };
}

/** Returns custom fields under names that are free. */
const customOf = (custom: Record<string, string>, taken: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(custom).map(([name, value]) => [
      taken.includes(name) ? `custom_${name}` : name,
      readable(value),
    ]),
  );

function severityOf(severity: string | null): string {
  const word = severity?.toLowerCase() ?? '';
  return SEVERITIES.includes(word) ? word : OTHER_SEVERITY;
}

/** PagerDuty asks for a backoff of a few minutes after a 429, and sends no `Retry-After`. */
const BACKOFF_MS = 120_000;

function judge(response: Received): Verdict {
  const verdict = judgeStatus(response);
  return response.status === 429 && verdict.outcome === 'later'
    ? { ...verdict, afterMs: verdict.afterMs ?? BACKOFF_MS }
    : verdict;
}
