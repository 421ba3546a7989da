import type { Mapping } from '../definition/schema.js';
import { SEVERITIES } from './severities.js';

const firstOf = (...paths: string[]): string => `{{${paths.map((path) => `webhook.${path}`).join('|')}}}`;

/**
 * Maps every kind of Sentry webhook. A Sentry integration sends issue alerts (`data.event`), issues, errors and metric alerts to
 * one URL, and the older plugin sends payloads of another shape to it.
 */
export const sentryMapping: Mapping = {
  fields: {
    title: {
      template: firstOf(
        'data.event.title',
        'data.issue.title',
        'data.error.title',
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
      values: { ...SEVERITIES, resolved: 'info', open: 'warning' },
      default: 'error',
    },
    description: {
      template: `${firstOf(
        'data.event.message',
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
    service: {
      template: firstOf(
        'data.issue.project.slug',
        'data.metric_alert.projects[0]',
        'data.event.tags.server_name',
        'data.event.transaction',
        'data.error.tags.server_name',
        'data.error.transaction',
        'project_slug',
        'project',
      ),
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
    status: {
      template: firstOf('data.issue.status', 'action'),
      values: {
        reprocessing: 'firing',
        assigned: 'firing',
        ignored: 'resolved',
        archived: 'resolved',
      },
    },
    // Issues and the incidents of metric alerts have ids of their own.
    dedupKey: {
      template: `{{#webhook.data.metric_alert.id}}metric-alert/{{.}}{{/webhook.data.metric_alert.id}}{{^webhook.data.metric_alert.id}}${firstOf(
        'data.issue.id',
        'data.event.issue_id',
        'data.error.issue_id',
        'id',
      )}{{/webhook.data.metric_alert.id}}`,
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
