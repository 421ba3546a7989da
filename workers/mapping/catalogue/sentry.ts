import type { Mapping } from '../definition/schema.js';
import { keyOf, part } from './keys.js';
import { SEVERITIES } from './severities.js';

const firstOf = (...paths: string[]): string => `{{${paths.map((path) => `webhook.${path}`).join('|')}}}`;

/**
 * Maps every kind of Sentry webhook. A Sentry integration sends issue alerts (`data.event`), issues, errors and metric alerts to
 * one URL, and the older plugin sends payloads of another shape to it.
 */
export const sentryMapping: Mapping = {
  // The installation and removal of the integration make no alert.
  filter: 'first(webhook.data.installation.uuid, "") == ""',
  fields: {
    // `description_title` of a metric alert begins with its state; `title` may be a made-up name.
    title: {
      template: firstOf(
        'data.event.title',
        'data.issue.title',
        'data.error.title',
        'data.metric_alert.alert_rule.name',
        'data.description_title',
        'data.metric_alert.title',
        'event.title',
        'event.metadata.title',
        'message',
        'event.exception.values[0].type',
        'data.event.culprit',
        'data.issue.culprit',
        'data.error.culprit',
        'culprit',
      ),
    },
    // A metric alert has its level in `action`: critical, warning or resolved.
    severity: {
      template: firstOf(
        'data.event.level',
        'data.event.tags.level',
        'data.issue.level',
        'data.error.level',
        'level',
        'action',
      ),
      values: { ...SEVERITIES, sample: 'info', resolved: 'info', open: 'warning' },
      default: 'error',
    },
    // A missed check-in or a downtime has its reason in the occurrence.
    description: {
      template: `${firstOf(
        'data.event.message',
        'data.event.occurrence.subtitle',
        'data.event.occurrence.evidenceDisplay[0].value',
        'data.event.title',
        'data.error.message',
        'data.error.title',
        'data.issue.title',
        'data.description_text',
        'message',
        'event.exception.values[0].value',
        'event.title',
      )}${['data.event.culprit', 'data.error.culprit', 'data.issue.culprit', 'culprit']
        .map((path) => `{{#webhook.${path}}} in {{.}}{{/webhook.${path}}}`)
        .join('')}`,
    },
    source: { template: 'Sentry' },
    // The project. An event names it only in the address of the API.
    service: {
      expression: `first(${[
        'webhook.data.issue.project.slug',
        'webhook.data.metric_alert.projects[0]',
        ...['event', 'error'].flatMap((kind) => [
          `extract(webhook.data.${kind}.url, "/projects/[^/]+/([^/]+)/")`,
          `webhook.data.${kind}.contexts.monitor.slug`,
          `webhook.data.${kind}.tags.filter(t, t[0] == "server_name")[0][1]`,
          `webhook.data.${kind}.transaction`,
        ]),
        'webhook.data.project_slug',
        'webhook.project_slug',
        'webhook.project',
      ].join(', ')})`,
    },
    environment: {
      template: firstOf(
        'data.event.environment',
        'data.event.tags.environment',
        'data.error.environment',
        'data.error.tags.environment',
        'data.metric_alert.alert_rule.environment',
        'event.environment',
      ),
    },
    // An issue alert does not end. Its issue does, if the integration also sends issues. An archived issue needs nobody.
    // Comments and assignments are news of people. A sample event is marked with a tag.
    status: {
      expression: `has(webhook.data.comment) || first(webhook.action, "") in ["assigned", "unassigned"] ? "update" : first(webhook.data.event.tags.exists(t, t[0] == "sample_event"), false) ? "test" : first(webhook.action, "") == "unresolved" ? "reopened" : first(webhook.data.issue.status, webhook.action)`,
      values: {
        reprocessing: 'firing',
        ignored: 'resolved',
        archived: 'resolved',
      },
    },
    // The incident of a metric alert, or the newest event of an issue. What ends or reopens an issue may not know the newest one.
    occurrence: {
      expression:
        'first(webhook.data.metric_alert.date_started, webhook.action == "unresolved" || !(first(webhook.data.issue.status, "unresolved") in ["unresolved", "reprocessing"]) ? "" : first(webhook.data.event.datetime, webhook.data.error.datetime, webhook.data.issue.lastSeen))',
    },
    // Issues and the incidents of metric alerts have ids of their own.
    dedupKey: {
      expression: `first(${keyOf('"metric-alert"', 'webhook.data.metric_alert.id')}, ${part(
        `first(${['data.issue.id', 'data.event.issue_id', 'data.error.issue_id', 'data.issue_id', 'id']
          .map((path) => `webhook.${path}`)
          .join(', ')})`,
      )})`,
    },
  },
  custom: {
    action: { template: '{{webhook.action}}' },
    rule: {
      template: firstOf('data.triggered_rule', 'data.metric_alert.alert_rule.name', 'triggering_rules[0]'),
    },
    issue: { template: firstOf('data.issue.shortId', 'data.event.issue_id', 'data.error.issue_id') },
    release: { template: firstOf('data.event.release', 'data.error.release', 'event.release') },
    link: {
      template: firstOf(
        'data.event.web_url',
        'data.issue.permalink',
        'data.error.web_url',
        'data.web_url',
        'data.event.url',
        'url',
      ),
    },
  },
};
