import { describe, expect, test } from '@jest/globals';
import { findSource, mergePatch } from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import type { JsonValue, Status } from '../../../../workers/mapping/index.js';
import { run } from '../mapping.js';
import { Timeline } from './timeline.js';

/** An event besides those of the sample's problem: how its payload differs from the sample, and its key and status. */
type Shape = [what: string, patch: JsonValue, key: string | null, status?: Status];

const SHAPES: Record<string, Shape[]> = {
  alertmanager: [
    [
      'an old version, without fingerprints',
      { alerts: [{ status: 'firing', labels: { alertname: 'Up', job: 'a' } }] },
      '{"alertname":"Up","job":"a"}',
      'firing',
    ],
  ],
  appdynamics: [['a macro that was not expanded', { incident_key: '##NODE## - ##APPLICATION##' }, null]],
  axiom: [['an event of a match monitor', { event: { matchedEvent: { service: 'api' } } }, null]],
  'azure-monitor': [
    [
      'an older metric alert',
      { data: { essentials: null, status: 'Deactivated', context: { id: '/rules/1', resourceId: '/vm/2' } } },
      '~1rules~11//vm/2',
      'resolved',
    ],
    [
      'a classic metric alert',
      { data: null, status: 'Activated', context: { id: '/rules/1', resourceId: '/vm/2' } },
      '~1rules~11//vm/2',
      'firing',
    ],
    [
      'the activity log',
      { data: { essentials: null, status: 'Activated', context: { activityLog: {} } } },
      null,
    ],
  ],
  checkly: [
    ['a certificate that expires', { alert_type: 'ALERT_SSL' }, null],
    [
      'a check that is slow after it failed',
      { alert_type: 'ALERT_FAILURE_DEGRADED' },
      '00000000-2222-4333-8444-666666666666',
      'firing',
    ],
  ],
  checkmk: [
    [
      'a host, whose notifications have the severity OK',
      { what: 'HOST', service: null, status: 'UNREACH', severity: 'OK' },
      'prod/mail-2',
      'firing',
    ],
    [
      'the end of a downtime of a service that is OK',
      { notification_type: 'DOWNTIMEEND', status: 'DOWN', severity: 'OK' },
      'prod/mail-2/Mail Queue',
      'resolved',
    ],
  ],
  cloudflare: [['a type of alert without a correlation id', { alert_correlation_id: null }, null]],
  'cloudwatch-sns': [
    [
      'an older message, without an ARN',
      { Message: '{"AlarmName":"a","AWSAccountId":"1","Region":"EU (Ireland)","NewStateValue":"OK"}' },
      '1/EU (Ireland)/a',
      'resolved',
    ],
    ['another message of the topic', { Message: 'Hello' }, null],
  ],
  datadog: [
    ['a payload without a cycle key', { alert_cycle_key: null }, '90871/host:mail-1', 'firing'],
    [
      'a group of several tags',
      { alert_cycle_key: null, alert_scope: 'host:a,env:b' },
      '90871/host:a,env:b',
      'firing',
    ],
    ['a monitor of hosts', { alert_cycle_key: null, alert_scope: '' }, '90871/mail-1', 'firing'],
    ['a monitor whose group is unknown', { alert_cycle_key: null, alert_scope: '', host_name: null }, null],
    ['the default payload', { alert_cycle_key: null, alert_id: null, alert_transition: null }, null],
    ['a macro that was not expanded', { alert_cycle_key: '$ALERT_CYCLE_KEY' }, null],
  ],
  'dead-mans-snitch': [
    ['a snitch that was paused', { data: { snitch: { status: 'paused' } } }, 'abc123def4', 'resolved'],
  ],
  dynatrace: [['a problem that was merged', { State: 'MERGED' }, '-4400112233_1770113640000V2', 'resolved']],
  freshservice: [
    ['a ticket that waits', { freshdesk_webhook: { ticket_status: 'Pending' } }, 'INC-44', 'update'],
    [
      'a new ticket that waits',
      { freshdesk_webhook: { ticket_status: 3, triggered_event: '{ticket_action:created}' } },
      'INC-44',
      'firing',
    ],
    ['a note', { freshdesk_webhook: { triggered_event: '{note_type:private}' } }, 'INC-44', 'update'],
    ['a status as a word', { freshdesk_webhook: { ticket_status: 'Closed' } }, 'INC-44', 'resolved'],
  ],
  'github-code-scanning': [
    ['an alert of Dependabot', { alert: { tool: null } }, null],
    [
      'an alert without a state',
      { action: 'closed_by_user', alert: { state: null } },
      '6/CodeQL/19',
      'resolved',
    ],
  ],
  'github-deployment-status': [
    [
      'an earlier payload without its own environment',
      { deployment_status: { environment: null }, deployment: { environment: 'canary' } },
      '6/canary',
      'firing',
    ],
  ],
  'github-workflow-run': [
    ['a run that waits for approval', { workflow_run: { conclusion: 'action_required' } }, null],
    [
      'a branch of a fork',
      { workflow_run: { conclusion: 'timed_out', head_repository: { id: 99 } } },
      '99/40/main',
      'firing',
    ],
  ],
  'gitlab-pipeline': [
    [
      'a merge request',
      { object_attributes: { source: 'merge_request_event', name: null } },
      '3/main/merge_request_event/',
      'firing',
    ],
  ],
  'grafana-legacy': [['a version without organizations', { orgId: null }, '31', 'firing']],
  'hetrixtools-resource': [
    [
      'an uptime monitor',
      { resource_usage: null, monitor_status: 'online', monitor_target: 'https://a.example' },
      '0123456789abcdef0123456789abcdef',
      'resolved',
    ],
    ['the use of a resource', {}, null],
  ],
  healthchecks: [
    [
      'a body of placeholders',
      { incident_key: null, event_type: null, code: 'c-1', status: 'up', name: 'Nightly backup' },
      'c-1',
      'resolved',
    ],
  ],
  honeybadger: [
    [
      'an alarm that ended',
      { event: 'alarm_ok', fault: null, alarm: { id: 'a1', name: 'Errors' } },
      'alarm/a1',
      'resolved',
    ],
    ['a fault that somebody reopened', { event: 'unresolved' }, 'fault/900100', 'reopened'],
    [
      'a comment on a resolved fault',
      { event: 'commented', fault: { resolved: true } },
      'fault/900100',
      'update',
    ],
    ['a site that is up', { event: 'up', fault: null, site: { id: 's-1' } }, 'site/s-1', 'resolved'],
    [
      'a check-in that is missing',
      { event: 'check_in_missing', fault: null, check_in: { id: 'c1' } },
      'check-in/c1',
      'firing',
    ],
    ['a certificate', { event: 'cert_will_expire', fault: null, site: { id: 's-1' } }, null],
  ],
  jira: [
    ['an issue that was deleted', { webhookEvent: 'jira:issue_deleted' }, '10400', 'resolved'],
    [
      'a resolution, with a status that belongs to no category',
      { issue: { fields: { status: { name: 'Gone' }, resolution: { name: 'Fixed' } } } },
      '10400',
      'resolved',
    ],
    ['a comment', { webhookEvent: 'comment_created' }, '10400', 'update'],
    ['an issue without a status', { issue: { fields: { status: null } } }, '10400', 'firing'],
  ],
  kapacitor: [['a node without recoveries', { recoverable: false }, null]],
  kibana: [
    [
      'a flat body',
      { rule: null, alert: null, rule_id: 'r1', alert_id: 'host-1', action_group: 'recovered' },
      'r1/host-1',
      'resolved',
    ],
    [
      'the variables of an older version',
      { rule: null, alert: null, alertId: 'r1', alertInstanceId: 'host-1', alertActionGroup: 'default' },
      'r1/host-1',
      'firing',
    ],
  ],
  logicmonitor: [['another spelling', { alertid: null, alert_id: 'LMD4011' }, 'LMD4011', 'firing']],
  newrelic: [
    [
      'the fields that a template needs at least',
      {
        id: null,
        issueUrl:
          'https://radar-api.example.com/accounts/1/issues/0a1b2c3d-0000-4000-8000-000000000009?notifier=WEBHOOK',
        state: 'ACKNOWLEDGED',
      },
      '0a1b2c3d-0000-4000-8000-000000000009',
      'update',
    ],
  ],
  'newrelic-legacy': [
    ['a payload without the account', { account_id: null, current_state: 'closed' }, '404/61', 'resolved'],
    ['a payload without the URL either', { account_id: null, incident_url: null }, '61', 'firing'],
  ],
  opsgenie: [
    [
      'another priority',
      { action: 'UpdatePriority' },
      '00000000-1111-4222-8333-444444444444-1770113640000',
      'firing',
    ],
    ['a note', { action: 'AddNote' }, '00000000-1111-4222-8333-444444444444-1770113640000', 'update'],
  ],
  pagerduty: [
    [
      'a note',
      {
        event: {
          event_type: 'incident.annotated',
          data: { type: 'incident_note', id: 'PNOTE01', incident: { id: 'QEXAMPLE1' } },
        },
      },
      'QEXAMPLE1',
      'update',
    ],
    [
      'a priority that was set',
      { event: { event_type: 'incident.priority_updated' } },
      'QEXAMPLE1',
      'firing',
    ],
    [
      'an incident that was reopened',
      { event: { event_type: 'incident.reopened' } },
      'QEXAMPLE1',
      'reopened',
    ],
  ],
  prtg: [
    ['a sensor that is up', { status: 'Up' }, '4022', 'resolved'],
    ['the end of one problem in another', { status: 'Down ended (now: Warning)' }, '4022', 'firing'],
    ['a sensor that was paused', { status: 'Down ended (now: Paused)' }, '4022', 'resolved'],
    ['a problem that somebody acknowledged', { status: 'Down (Acknowledged)' }, '4022', 'update'],
    ['a word that only begins like one of the end', { status: 'Upgrade' }, '4022', 'firing'],
  ],
  scom: [
    ['a state as a number', { resolutionState: 255 }, '{00000000-6666-4777-8888-aaaaaaaaaaaa}', 'resolved'],
  ],
  'sentry-issue': [
    [
      'an archived issue',
      { action: 'archived', data: { issue: { status: 'ignored' } } },
      '4400123',
      'resolved',
    ],
    ['the older plugin', { action: null, data: null, id: '4400123', level: 'error' }, '4400123', 'firing'],
  ],
  solarwinds: [['an action that sends the id of the object', { AlertObjectID: '77' }, '77', 'firing']],
  'uptime-kuma': [['a notice about a certificate', { heartbeat: null, monitor: null }, null]],
  uptimerobot: [['a certificate that expires', { alertTypeFriendlyName: 'SSL expiry' }, null]],
  zabbix: [
    ['a script that sends no value', { event_value: null }, '5120', 'firing'],
    [
      'a script that sends the name of the state',
      { event_value: null, event_status: 'RESOLVED' },
      '5120',
      'resolved',
    ],
    ['the test of a media type', { event_id: '{EVENT.ID}', event_value: '{EVENT.VALUE}' }, null],
    ['a note', { event_update_status: '1', description: 'Kim acknowledged problem.' }, '5120', 'update'],
  ],
};

describe.each(Object.entries(SHAPES))('%s', (name, shapes) => {
  test.each(shapes.map((shape) => [shape[0], shape] as const))('%s', (_, [, patch, key, status]) => {
    const { mapping, sample } = findSource(name) as CatalogueSource;
    const [alert] = run(mapping, mergePatch(sample, patch)).alerts;
    if (key === null) expect(alert?.series ?? null).toBeNull();
    else expect(alert?.series).toMatchObject({ dedupKey: key, status });
    const codes = [...(alert?.fields.status?.warnings ?? []), ...(alert?.fields.dedupKey?.warnings ?? [])]
      .map(({ code }) => code)
      .filter((code) => code !== 'unexpanded_macro');
    const missing = alert?.fields.status?.result === 'missing' ? ['missing_status'] : [];
    expect(codes).toEqual(key === null ? ['missing_dedup_key'] : missing);
  });
});

test('an event of Sentry opens an alert that its issue resolves', () => {
  const { mapping, sample } = findSource('sentry-event-alert') as CatalogueSource;
  const issue = { action: 'resolved', data: { issue: { id: '4400124', status: 'resolved' } } };
  const timeline = new Timeline(mapping).add(sample).add(sample).add(issue);
  expect(timeline.alerts).toMatchObject([{ key: '4400124', eventCount: 3, status: 'resolved' }]);
  expect(timeline.alerts[0]).toMatchObject({
    state: 'complete',
    title: 'OperationalError: connection refused',
  });
});
