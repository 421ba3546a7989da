import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compileMapping, type Mapping, normalize } from '../../../workers/mapping/index.js';

/** Common mistakes in templates, on third-party payloads, with the expected suggestions. */
const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');
const present = existsSync(DATA);
const when = present ? describe : describe.skip;
const reason = present ? '' : ' (skipped: ../shared/data/payloads is not there)';

/** Payload, template, expected suggestion, and the list that is split, if any. */
type Mistake = [payload: string, template: string, expected: string, split?: string];

const ISSUE = 'webhook.data.issue';
const EVENT = 'webhook.data.event';

const MISTAKES: Record<string, Mistake[]> = {
  'a key with dots': [
    ['dash0', `{{${ISSUE}.labels.service.name.stringValue}}`, 'finds my-first-observable-service'],
    ['dash0', `{{${ISSUE}.labels.service.nam.stringValue}}`, `${ISSUE}.labels["service.name"].stringValue`],
    ['dash0', `{{${ISSUE}.labels.service_name.stringValue}}`, `${ISSUE}.labels["service.name"].stringValue`],
    ['sentry_event_alert', `{{${EVENT}._metrics.bytes.ingested.event}}`, 'finds 35254'],
    [
      'sentry_event_alert',
      `{{${EVENT}._metrics.bytes.ingestd.event}}`,
      `${EVENT}._metrics["bytes.ingested.event"]`,
    ],
    [
      'sentry_event_alert',
      `{{${EVENT}.extra.sys.argv[0]}}`,
      'finds /home/ubuntu/venvs/acmecorp/bin/gunicorn',
    ],
    ['sentry_event_alert', `{{${EVENT}.extra.sys_argv[0]}}`, `${EVENT}.extra["sys.argv"][0]`],
  ],
  'something in front of the payload': [
    ['opsgenie', '{{webhook.body.alert.message}}', 'webhook.alert.message'],
    ['gcp_monitoring', '{{webhook.payload.incident.summary}}', 'webhook.incident.summary'],
    ['alertmanager', '{{webhook.body.alerts[0].labels.severity}}', 'webhook.alerts[0].labels.severity'],
    ['datadog', '{{webhook.body.title}}', 'webhook.title'],
    ['pagerduty_v3', '{{body.event.data.title}}', 'write webhook.event.data.title'],
    [
      'graylog',
      '{{$json.body.check_result.result_description}}',
      'write webhook.check_result.result_description',
    ],
  ],
  'a position beyond the end': [
    ['alertmanager', '{{webhook.alerts[2].labels.instance}}', 'webhook.alerts[1].labels.instance'],
    ['newrelic_workflow', '{{webhook.impactedEntities[1]}}', 'webhook.impactedEntities[0]'],
    [
      'pagerduty_v3',
      '{{webhook.event.data.assignees[1].summary}}',
      'webhook.event.data.assignees[0].summary',
    ],
    [
      'azure_monitor',
      '{{webhook.data.alertContext.condition.allOf[1].metricName}}',
      'webhook.data.alertContext.condition.allOf[0].metricName',
    ],
    [
      'graylog',
      '{{webhook.check_result.matching_messages.2.message}}',
      'webhook.check_result.matching_messages[1].message',
    ],
  ],
  'a wrong split': [
    ['alertmanager', '{{item.labels.instance}}', 'did you mean webhook.alerts', 'alert'],
    ['alertmanager', '{{item.labels.instance}}', 'did you mean webhook.alerts', 'commonLabels'],
    ['graylog', '{{item.message}}', 'did you mean webhook.check_result.matching_messages', 'check_result'],
    [
      'graylog',
      '{{item.message}}',
      'did you mean webhook.check_result.matching_messages',
      'matching_messages',
    ],
    [
      'azure_monitor',
      '{{item.metricName}}',
      'did you mean webhook.data.alertContext.condition.allOf',
      'data.alertContext',
    ],
    ['alertmanager', '{{item.severity}}', 'item.labels.severity', 'alerts'],
    ['alertmanager', '{{webhook.labels.instance}}', 'item.labels.instance', 'alerts'],
    ['alertmanager', '{{item.commonLabels.monitor}}', 'webhook.commonLabels.monitor', 'alerts'],
  ],
  'singular and plural': [
    ['opsgenie', '{{webhook.alerts.message}}', 'webhook.alert.message'],
    ['datadog', '{{webhook.tag.env}}', 'webhook.tags.env'],
    ['alertmanager', '{{webhook.alert.labels.code}}', 'webhook.alerts[0].labels.code'],
    ['alertmanager', '{{webhook.alerts.annotations.summary}}', 'webhook.alerts[0].annotations.summary'],
    ['newrelic_workflow', '{{webhook.impactedEntity[0]}}', 'webhook.impactedEntities[0]'],
    ['sentry_event_alert', `{{${EVENT}.tag.browser}}`, `${EVENT}.tags.browser`],
  ],
  'JSON that was not expanded': [
    ['cloudwatch_sns', '{{webhook.Message.AlarmName}}', 'expand Message, webhook.Message.AlarmName'],
    [
      'cloudwatch_sns',
      '{{webhook.Message.trigger.metricName}}',
      'expand Message, webhook.Message.Trigger.MetricName',
    ],
    [
      'cloudwatch_eventbridge',
      '{{webhook.detail.state.reasonData.threshold}}',
      'expand detail.state.reasonData, webhook.detail.state.reasonData.threshold',
    ],
    ['cloudwatch_sns', '{{webhook.message.AlarmName}}', 'expand Message, webhook.Message.AlarmName'],
  ],
  'tags of Handlebars': [
    ['opsgenie', '{{#if webhook.alert.message}}x{{/if}}', 'write {{#webhook.alert.message}}…'],
    ['opsgenie', '{{#if alert.priority}}x{{/if}}', 'write {{#webhook.alert.priority}}…'],
    ['alertmanager', '{{#each webhook.alerts}}{{this.status}}{{/each}}', 'write {{#webhook.alerts}}…'],
    ['opsgenie', '{{#unless webhook.alert.entity}}x{{/unless}}', 'write {{^webhook.alert.entity}}…'],
    ['datadog', '{{this.title}}', 'write {{title}}, inside a section'],
  ],
};

/** Returns what the user sees: the value found, a suggestion, or nothing. */
function toldOf([payload, template, , split]: Mistake): string {
  const mapping: Mapping = { split: split ?? null, fields: { description: { template } } };
  const compiled = compileMapping(mapping);
  if ('errors' in compiled) return compiled.errors[0]?.message ?? '';
  const { alerts } = normalize(compiled.mapping, readFileSync(join(DATA, `${payload}.json`)));
  const error = alerts[0]?.faults.find(({ code }) => code === 'split_not_array');
  if (error) return error.message;
  const field = alerts[0]?.fields.description;
  if (field?.result === 'resolved') return `finds ${field.value}`;
  const { nearest = null, expandJson } = field?.missing[0] ?? {};
  return expandJson ? `expand ${expandJson}, ${nearest}` : String(nearest);
}

const isRight = (told: string, expected: string): boolean =>
  /^(write|did you mean)/.test(expected) ? told.includes(expected) : told === expected;

when(`mistakes in paths over payloads of real shape${reason}`, () => {
  const all = Object.entries(MISTAKES).flatMap(([kind, mistakes]) =>
    mistakes.map((one) => [kind, one] as const),
  );

  test.each(all)('%s: %j', (_, mistake) => {
    const told = toldOf(mistake);
    expect({ told, right: isRight(told, mistake[2]) }).toEqual({ told, right: true });
  });

  test('there are 41 mistakes', () => expect(all).toHaveLength(41));
});
