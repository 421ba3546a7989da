import type { JsonValue } from '../../../../workers/mapping/index.js';

/** How two more payloads of a source differ from its sample, as JSON Merge Patches. */
export interface Problem {
  /** The same problem, reported again: with another time, value or id of the notification. */
  again: JsonValue;
  /** A problem that is as similar as possible, and yet a different one. */
  other: JsonValue;
  /** The problem again after its end, of a source whose mapping tells occurrences apart. */
  next?: JsonValue;
}

const grafanaAlert = (folder: string, more: object) => ({
  status: 'firing',
  labels: { alertname: 'Checkout is slow', grafana_folder: folder, service: 'checkout', severity: 'high' },
  annotations: { summary: 'Checkout is slow' },
  startsAt: '2026-02-03T10:20:00Z',
  ...more,
});

const prometheusAlert = (instance: string, more: object) => ({
  status: 'firing',
  labels: { alertname: 'DiskFillsUp', instance, severity: 'page' },
  annotations: { summary: 'Disk fills up' },
  startsAt: '2026-02-03T09:12:44.117Z',
  ...more,
});

const alarm = (name: string, state: string, time = '10:25') => ({
  Message: JSON.stringify({
    AlarmName: name,
    AWSAccountId: '111122223333',
    NewStateValue: state,
    NewStateReason: 'Threshold Crossed',
    StateChangeTime: `2026-02-03T${time}:00.000+0000`,
    Region: 'EU (Frankfurt)',
    AlarmArn: `arn:aws:cloudwatch:eu-central-1:111122223333:alarm:${name}`,
  }),
});

const listed = (monitor: string) => ({
  monitor,
  label: 'Mail relay',
  blacklisted_before: '2',
  blacklisted_now: '3',
  blacklisted_on: [{ rbl: 'bl.example.org', delist: 'https://bl.example.org/delist' }],
});

/** One of each source that reports recoveries. */
export const PROBLEMS: Record<string, Problem> = {
  alerta: {
    again: { severity: 'critical', value: '97%', text: 'The disk is nearly full', duplicateCount: 1 },
    other: { resource: 'db-2', dedupKey: 'Production/db-2/DiskFull,DiskOk' },
  },
  alertmanager: {
    again: { alerts: [prometheusAlert('db-3:9100', { fingerprint: '0b1c2d3e4f5a6b7c' })] },
    other: { alerts: [prometheusAlert('db-5:9100', { fingerprint: '2d3e4f5a6b7c8d9e' })] },
    next: {
      alerts: [
        prometheusAlert('db-3:9100', { fingerprint: '0b1c2d3e4f5a6b7c', startsAt: '2026-02-03T11:00:00Z' }),
      ],
    },
  },
  alertsite: {
    again: { timestamp: '2026-02-03T10:25:00Z', errcount: '3' },
    other: { location: 'Boston' },
    next: { timestamp: '2026-02-03T11:00:00Z' },
  },
  'apex-ping': { again: { triggered_at: '2026-02-03T10:30:00Z', value: 1300 }, other: { alert: { id: 4 } } },
  appdynamics: { again: { details: { event_id: '73' } }, other: { incident_key: 'node-4 - Checkout' } },
  apprise: { again: { message: 'The backup failed again.' }, other: { key: 'backup of blog-db' } },
  auvik: {
    again: { date: '2026-02-03T10:30:00.000Z' },
    other: { alertId: 'MTI=', correlationId: 'MTI=' },
    next: { date: '2026-02-03T11:00:00.000Z' },
  },
  axiom: {
    again: { event: { value: 9 } },
    other: { event: { monitorID: 'mOther' } },
    next: { event: { timestamp: '2026-02-03 11:00:00 +0000 UTC' } },
  },
  'azure-monitor': {
    again: { data: { alertContext: { condition: { windowSize: 'PT10M' } } } },
    other: { data: { essentials: { alertId: '/subscriptions/0000/alerts/2222' } } },
    next: { data: { essentials: { firedDateTime: '2026-02-03T11:00:00.0000000Z' } } },
  },
  checkly: {
    again: { alert_type: 'ALERT_FAILURE_REMAIN', started_at: '2026-02-03T10:30:00.000Z' },
    other: { check_id: '00000000-2222-4333-8444-777777777777' },
    next: { started_at: '2026-02-03T11:00:00.000Z' },
  },
  checkmk: {
    again: { id: '78', output: '1500 mails in the queue (!!)' },
    other: { service: 'Mail Queue 2' },
    next: { micro_time: '1770116400000000' },
  },
  cloudflare: {
    again: { ts: 1770113700 },
    other: { alert_correlation_id: '111e1f2a3b4c4d5e8f90a1b2c3d4e5f6' },
    next: { ts: 1770116400 },
  },
  'cloudwatch-eventbridge': {
    again: { id: 'c4c1c1c9-0000', detail: { state: { value: 'INSUFFICIENT_DATA' } } },
    other: { resources: ['arn:aws:cloudwatch:eu-west-1:111122223333:alarm:orders-5xx'], region: 'eu-west-1' },
    next: { detail: { state: { timestamp: '2026-02-03T11:00:00.000+0000' } } },
  },
  'cloudwatch-sns': {
    again: alarm('orders-latency', 'ALARM'),
    other: alarm('orders-5xx', 'ALARM'),
    next: alarm('orders-latency', 'ALARM', '11:00'),
  },
  cron: {
    again: { output: 'another text', exit: '12' },
    other: { command: '/usr/local/bin/backup --logs' },
    next: { started: '1770120840' },
  },
  cronitor: { again: { rule: 'error' }, other: { environment: 'staging' } },
  dash0: {
    again: { data: { issue: { status: 'degraded' } } },
    other: { data: { issue: { id: '00000000-4444-4555-8666-999999999999' } } },
  },
  datadog: {
    again: { id: '7700112299', alert_transition: 'Re-Triggered', last_updated: '1770117240000' },
    other: { alert_cycle_key: '7700112231', alert_scope: ['host:mail-2'] },
    next: { date: '1770117240000' },
  },
  'dead-mans-snitch': {
    again: { type: 'snitch.missing', data: { snitch: { status: 'missing' } } },
    other: { data: { snitch: { token: 'abc123def5' } } },
    next: { timestamp: '2026-02-03T11:00:00.000Z' },
  },
  dynatrace: {
    again: { ProblemDetailsText: 'Still slow' },
    other: { PID: '-4400112233_1770113640001V2', ProblemID: 'P-26022' },
  },
  fail2ban: { again: { failures: '9' }, other: { ip: '192.0.2.67' } },
  freshservice: {
    again: { freshdesk_webhook: { ticket_description: 'Nobody at all can print.' } },
    other: { freshdesk_webhook: { ticket_id: 'INC-45' } },
  },
  'generic-build': {
    again: { commit: '1123' },
    other: { branch: 'main' },
    next: { id: 406 },
  },
  'generic-check': {
    again: { output: 'DISK CRITICAL - 1% of /var is free' },
    other: { service: 'disk /srv' },
  },
  'generic-monitor': {
    again: { data: { current_value: 80 } },
    other: { resource: { name: 'search-node-2' } },
  },
  'github-code-scanning': {
    again: { action: 'appeared_in_branch' },
    other: { alert: { number: 20 } },
    next: { action: 'reopened', alert: { updated_at: '2026-02-05T10:20:00Z' } },
  },
  'github-dependabot': {
    again: { action: 'assignees_changed' },
    other: { repository: { id: 7 } },
    next: { action: 'reintroduced', alert: { updated_at: '2026-02-05T10:20:00Z' } },
  },
  'github-deployment-status': {
    again: { deployment_status: { id: 73, state: 'error' }, deployment: { id: 72 } },
    other: { deployment_status: { environment: 'production' } },
    next: { deployment_status: { id: 91 }, deployment: { id: 90 } },
  },
  'github-workflow-run': {
    again: { workflow_run: { id: 9007199254742, run_attempt: 2 } },
    other: { workflow_run: { head_branch: 'release' } },
    next: { workflow_run: { id: 9007199254743, run_number: 313 } },
  },
  'gitlab-deployment': {
    again: { commit_title: 'Round prices up again' },
    other: { environment: 'production' },
    next: { deployment_id: 90 },
  },
  'gitlab-pipeline': {
    again: { object_attributes: { duration: 70 } },
    other: { object_attributes: { name: 'Release' } },
    next: { object_attributes: { id: 5153, iid: 42 } },
  },
  'google-cloud-monitoring': {
    again: { incident: { observed_value: '0.97' } },
    other: { incident: { incident_id: '0.other' } },
  },
  grafana: {
    again: { alerts: [grafanaAlert('Shop', { fingerprint: 'a1b2c3d4e5f60718' })] },
    other: { alerts: [grafanaAlert('Test shop', { fingerprint: 'b1b2c3d4e5f60718' })] },
    next: {
      alerts: [grafanaAlert('Shop', { fingerprint: 'a1b2c3d4e5f60718', startsAt: '2026-02-03T12:00:00Z' })],
    },
  },
  'grafana-legacy': { again: { state: 'no_data', evalMatches: [] }, other: { ruleId: 32 } },
  healthchecks: {
    again: { tags: 'backup' },
    other: { incident_key: '00000000-1111-4222-8333-666666666666' },
  },
  'hetrixtools-blacklist': { again: [listed('192.0.2.40')], other: [listed('192.0.2.41')] },
  honeybadger: {
    again: { fault: { notices_count: 9 }, notice: { id: 1 } },
    other: { fault: { id: 900101 } },
    next: { fault: { last_notice_at: '2026-02-04T08:00:00.000000Z' } },
  },
  hyperping: {
    again: { check: { downtime: 9 } },
    other: { check: { url: 'https://docs.example.com/api' } },
    next: { check: { date: 1770117240000 } },
  },
  jenkins: {
    again: { build: { number: 7, phase: 'COMPLETED' } },
    other: { url: 'job/basket-nightly/' },
    next: { build: { number: 1, timestamp: 1770120840000, status: 'FAILURE' } },
  },
  jira: {
    again: { webhookEvent: 'jira:issue_updated' },
    other: { issue: { id: '10401', key: 'OPS-45' } },
    next: { webhookEvent: 'jira:issue_updated', timestamp: 1770120840000 },
  },
  kapacitor: {
    again: { level: 'WARNING', message: 'Disk of db-3 is 90% full' },
    next: { time: '2026-02-03T12:00:00Z' },
    other: { id: 'disk:host=db-4' },
  },
  kibana: {
    again: { alert: { flapping: true } },
    other: { alert: { id: 'gateway-2' } },
    next: { date: '2026-02-03T11:00:00.000Z' },
  },
  logicmonitor: {
    again: { alertstatus: 'ack', value: '430' },
    other: { alertid: 'LMD4012' },
    next: { startepoch: '1770117600' },
  },
  monit: {
    again: { MONIT_DATE: 'Tue, 03 Feb 2026 10:16:00', MONIT_DESCRIPTION: 'another text' },
    other: { test: 'port 443' },
    next: { MONIT_DATE: 'Tue, 03 Feb 2026 11:00:00' },
  },
  nagios: {
    again: { SERVICEOUTPUT: 'QUEUE CRITICAL - 1300 mails' },
    other: { SERVICEDESC: 'Mail relay' },
    next: { LASTSERVICESTATECHANGE: '1770116000' },
  },
  netdata: {
    again: { value_string: '99%' },
    other: { chart: 'disk_space._home' },
    next: { when: '1770116000' },
  },
  newrelic: { again: { trigger: 'INCIDENT_ADDED', totalIncidents: 2 }, other: { id: '0a1b2c3d-0003' } },
  'newrelic-legacy': { again: { current_state: 'acknowledged' }, other: { incident_id: 62 } },
  opsgenie: {
    again: { action: 'Acknowledge' },
    other: { alert: { alertId: '00000000-1111-1770113640001' } },
  },
  oncall: {
    again: { message: 'No response within 30 s' },
    other: { alert_uid: '7c1f0a52-search' },
  },
  'opsgenie-api': {
    again: { message: 'Search index is 30 minutes behind', priority: 'P1' },
    other: { alias: 'search-index-disk' },
  },
  pagerduty: {
    again: { event: { event_type: 'incident.acknowledged', data: { status: 'acknowledged' } } },
    other: { event: { data: { id: 'QEXAMPLE2', number: 72 } } },
    next: { event: { event_type: 'incident.reopened', occurred_at: '2026-02-03T12:00:00.000Z' } },
  },
  'pagerduty-events': {
    again: { payload: { summary: 'Replication of orders-db is 60 s behind', severity: 'critical' } },
    other: { dedup_key: 'orders-db/disk' },
  },
  pingdom: {
    again: { state_changed_timestamp: 1770113700 },
    other: { check_id: 4402 },
    next: { state_changed_timestamp: 1770120000 },
  },
  prtg: { again: { status: 'Down' }, other: { sensorid: '4023' } },
  scom: {
    again: { resolutionState: 'Acknowledged', repeatCount: '4' },
    other: { alertId: '{00000000-6666-4777-8888-bbbbbbbbbbbb}' },
  },
  'sentry-issue': {
    again: { data: { issue: { count: '4' } } },
    other: { data: { issue: { id: '4400199' } } },
    next: { action: 'unresolved' },
  },
  'sentry-metric-alert': {
    again: { action: 'warning' },
    other: { data: { metric_alert: { id: '82' } } },
    next: { data: { metric_alert: { date_started: '2026-02-03T12:00:00Z' } } },
  },
  serverguard24: {
    again: { check_result: 'CRITICAL' },
    other: { service_shortname: 'disk' },
    next: { notification_time: '03.02.2026 12:00:00' },
  },
  signalfx: { again: { severity: 'Critical' }, other: { incidentId: '405' } },
  site24x7: {
    again: { STATUS: 'TROUBLE' },
    other: { MONITOR_ID: '990002' },
    next: { INCIDENT_TIME_ISO: '2026-02-03T11:00:00+0000' },
  },
  smartd: { again: { SMARTD_PREVCNT: '1' }, other: { SMARTD_FAILTYPE: 'OfflineUncorrectableSector' } },
  solarwinds: { again: { AlertTriggerCount: '2' }, other: { NodeName: 'switch-15' } },
  statuscake: { again: { StatusCode: '503' }, other: { TestID: '60602' } },
  'uptime-kuma': {
    again: { heartbeat: { time: '2026-02-03 10:25:00.120', msg: 'timeout' } },
    other: { monitor: { id: 9 } },
    next: { heartbeat: { time: '2026-02-03 11:00:00.120' } },
  },
  uptimerobot: {
    again: { alertDateTime: '1770113700', alertID: '550024' },
    other: { monitorID: '770012' },
    next: { alertDateTime: '1770120000', alertID: '550025' },
  },
  zabbix: { again: { title: 'Updated problem: LDAP does not respond' }, other: { event_id: '5121' } },
  zendesk: {
    again: {
      id: '00000000-3334',
      type: 'zen:event-type:ticket.status_changed',
      time: '2026-02-03T10:40:00Z',
      detail: { status: 'PENDING' },
    },
    other: { detail: { id: '5151' } },
    next: { id: '00000000-3335', time: '2026-02-03T12:20:00Z' },
  },
};
