import { isDeepStrictEqual } from 'node:util';
import { titleOf } from './chat.js';
import { readable } from './cutter.js';
import type { Preset, RenderedBody, Told, ToldAlert } from './preset.js';
import { withoutEmpty } from './records.js';
import { judgeStatus } from './verdicts.js';

/**
 * How long Alertmanager keeps an alert firing that is not sent again. Without it, that is `resolve_timeout`, 5 minutes:
 * https://github.com/prometheus/alertmanager/issues/2366. A message may be a day old when it arrives, and must not end its alert then.
 */
const FIRING_MS = 26 * 60 * 60 * 1_000;
/** Alertmanager forgets its alerts when it restarts, so they are sent far more often than they end. */
const REFRESH_S = 60 * 60;
const TEST_MS = 5 * 60 * 1_000;

/** For `POST /api/v2/alerts`. */
export const alertmanager: Preset = {
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  mode: 'latest',
  refreshSeconds: REFRESH_S,
  ratePerSecond: null,
  isUrlSecret: false,
  isSigned: false,
  takesHeaders: true,
  render,
  judge: judgeStatus,
};

/**
 * To Alertmanager, an alert with other labels is another alert. If labels have changed since the last message, the alert with the former
 * ones is ended.
 */
function render(told: Told): RenderedBody {
  const { type, alert, before, at, isTest } = told;
  const now = Date.parse(at);
  const firingUntil = new Date(now + (isTest ? TEST_MS : FIRING_MS)).toISOString();
  const list = [itemOf(alert, told, type === 'alert.resolved' ? at : firingUntil)];
  if (before && !isDeepStrictEqual(labelsOf(before, isTest), labelsOf(alert, isTest)))
    list.push(itemOf(before, told, at));
  return { contentType: 'application/json', text: JSON.stringify(list) };
}

/** Alertmanager rejects an alert that ends before it starts. */
const itemOf = (alert: ToldAlert, { at, isTest }: Told, endsAt: string) => ({
  labels: labelsOf(alert, isTest),
  annotations: annotationsOf(alert),
  startsAt: new Date(Math.min(Date.parse(alert.startedAt), Date.parse(at))).toISOString(),
  endsAt,
  ...(alert.link ? { generatorURL: alert.link } : {}),
});

/** What routes are made of. The title may change at each event, so it is an annotation. */
const labelsOf = (alert: ToldAlert, isTest: boolean) =>
  withoutEmpty({
    alertname: alert.webhookName,
    muster_integration: alert.webhookId,
    muster_key: alert.dedupKey ?? alert.id,
    muster_test: isTest ? 'true' : null,
    severity: alert.severity,
    service: alert.service,
    environment: alert.environment,
    team: alert.team,
  });

const annotationsOf = (alert: ToldAlert) => ({
  ...customOf(alert.custom),
  ...withoutEmpty({
    summary: titleOf(alert),
    description: readable(alert.description ?? ''),
    source: readable(alert.source ?? ''),
    resolution: readable(alert.resolution ?? ''),
  }),
});

/** Returns custom fields under names that every Alertmanager takes: `custom_` and letters, digits and `_`. */
function customOf(custom: Record<string, string>): Record<string, string> {
  const named = new Map<string, string>();
  for (const [name, value] of Object.entries(custom)) {
    const base = `custom_${name.replace(/[^A-Za-z0-9_]/g, '_')}`;
    let free = base;
    for (let number = 2; named.has(free); number++) free = `${base}_${number}`;
    named.set(free, readable(value));
  }
  return Object.fromEntries(named);
}
