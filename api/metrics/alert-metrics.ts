import { Gauge, type Registry } from 'prom-client';
import type { FiringCount } from '../../db/series/firing-counts.js';
import type { FiringAlerts } from './firing-alerts.js';

/** A scrape does not wait longer for the database. */
const READ_WITHIN_MS = 1_000;
/** Integrations and severities with a series of their own. All others are counted as `other`. */
const MAX_WEBHOOKS = 1_000;
const MAX_SEVERITIES = 20;
const OTHER = 'other';

/** The number of firing alerts, read at each scrape. All APIs report the same, because they share one database. */
export class AlertMetrics {
  readonly #firing: FiringAlerts;
  readonly #gauge: Gauge;

  constructor(registry: Registry, firing: FiringAlerts) {
    this.#firing = firing;
    this.#gauge = new Gauge({
      name: 'muster_alerts_firing',
      help: 'Alerts that fire now, by integration and severity (empty: none). Beyond 1,000 integrations and 20 severities: other',
      labelNames: ['webhook_id', 'severity'],
      registers: [registry],
    });
  }

  /** Reads the current figures. There are none if the database has not responded for a minute. */
  async read(): Promise<void> {
    const counts = await this.#firing.count(READ_WITHIN_MS);
    this.#gauge.reset();
    if (counts) this.#show(counts.webhooks);
  }

  #show(counts: readonly FiringCount[]): void {
    const known = frequentSeverities(counts);
    for (const [index, { webhookId, alerts, severities }] of counts.entries()) {
      const webhook_id = index < MAX_WEBHOOKS ? webhookId : OTHER;
      let rest = alerts;
      for (const { severity, alerts } of severities) {
        rest -= alerts;
        const name = severity ?? '';
        this.#gauge.inc({ webhook_id, severity: known.has(name) ? name : OTHER }, alerts);
      }
      if (rest > 0) this.#gauge.inc({ webhook_id, severity: OTHER }, rest);
    }
  }
}

function frequentSeverities(counts: readonly FiringCount[]): Set<string> {
  const totals = new Map<string, number>();
  for (const { severities } of counts) {
    for (const { severity, alerts } of severities) {
      totals.set(severity ?? '', (totals.get(severity ?? '') ?? 0) + alerts);
    }
  }
  const sorted = [...totals].sort(([, one], [, other]) => other - one);
  return new Set(sorted.slice(0, MAX_SEVERITIES).map(([severity]) => severity));
}
