import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import { Client } from '../../support/api/client.js';
import { type Metrics, parseMetrics } from '../../support/api/metrics.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { expressionsOf } from '../../support/deploy/dashboard.js';
import { metricsIn } from '../../support/deploy/promql.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

interface Rule {
  alert: string;
  expr: string;
}

interface RuleTest {
  alertname: string;
  exp_alerts: unknown[];
}

const rules: Rule[] = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')).groups[0].rules;

let stack: Stack;
let exposed: Metrics[];
beforeAll(async () => {
  stack = await startStack();
  const client = await Client.of(stack);
  await makeEverySeries(client);
  const read = async () =>
    [(await client.get('/metrics')).text, await stack.worker!.metrics.scrape()].map(parseMetrics);
  await until('the firing alert is counted', async () => {
    exposed = await read();
    return samplesOf('muster_alerts_firing').length > 0;
  });
});
afterAll(() => stack.stop());

/** Lets the API and the worker do what gives the labelled metrics their first samples. */
async function makeEverySeries(client: Client): Promise<void> {
  const { path } = await makeWebhook(client, { template: 'alertmanager' });
  const labels = { alertname: 'High CPU', severity: 'critical' };
  const event = { alerts: [{ status: 'firing', fingerprint: 'c0ffee', labels }] };
  const { eventId } = (await (await sendEvent(stack.url, path, event)).json()) as { eventId: string };
  await receiptOf(client, eventId);
  await doUpkeep(stack.worker!);
}

const samplesOf = (name: string) => exposed.flatMap((metrics) => metrics.of(name));

/** Returns what an expression names and no process exposes. Prometheus itself adds `up`, and the labels `job` and `instance`. */
function unknownIn(expression: string): string[] {
  return metricsIn(expression).flatMap(({ name, labels }) => {
    if (name === 'up') return [];
    const samples = samplesOf(name);
    if (samples.length === 0) return exposed.some(({ types }) => types.has(name)) ? [] : [name];
    const known = new Set(['job', 'instance', ...samples.flatMap((sample) => Object.keys(sample.labels))]);
    return labels.filter((label) => !known.has(label)).map((label) => `${name}{${label}}`);
  });
}

test('an unknown metric and an unknown label are noticed', () => {
  const expression =
    'sum by (queue) (rate(muster_queue_jobs{stat="a"}[5m])) > 0 and on (queue) up == nowhere';
  expect(unknownIn(expression)).toEqual(['muster_queue_jobs{stat}', 'nowhere']);
});

test('every alert rule names metrics and labels that the API or a worker exposes', () => {
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
});

test('every panel of the dashboard names metrics and labels that the API or a worker exposes', () => {
  const expressions = expressionsOf(JSON.parse(readFileSync('deploy/grafana/muster.json', 'utf8')));
  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions.flatMap(unknownIn)).toEqual([]);
});

test('every alert rule fires in a unit test of promtool', () => {
  const { tests } = parse(readFileSync('deploy/prometheus/alerts.test.yml', 'utf8')) as {
    tests: { alert_rule_test: RuleTest[] }[];
  };
  const fires = tests
    .flatMap(({ alert_rule_test }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  expect([...new Set(fires)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
});
