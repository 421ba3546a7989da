import { expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../workers/mapping/catalogue/index.js';
import {
  type JsonValue,
  prepareTemplate,
  type Recognizable,
  Recognizer,
  tryTemplate,
} from '../../../workers/mapping/index.js';
import { expectQuick } from '../../support/cpu-time.js';
import { compiled } from './mapping.js';

const templates = catalogue.map((source) => ({ ...source, mapping: compiled(source.mapping) }));
const recognizer = new Recognizer(templates.map((template) => prepareTemplate(template)));

function rank<Template extends Recognizable>(one: Recognizer<Template>, payload: JsonValue) {
  const tried = one.resembling(payload).map((template) => tryTemplate(template, { payload }));
  return tried.sort((a, b) => b.score - a.score);
}

test.each(catalogue.map(({ name, sample }) => [name, sample] as const))(
  '%s: its own sample matches all its paths',
  (name, sample) => {
    const [best, next] = rank(recognizer, sample);
    expect(best?.template.name).toBe(name);
    expect(best?.matchedPaths).toBe(best?.requiredPaths);
    expect(best?.score).toBeGreaterThan(0.9);
    expect(next?.score ?? 0).toBeLessThan(0.9);
  },
);

test.each<[string, JsonValue]>([
  ['a title alone', { title: 'x' }],
  ['unknown keys', { foo: { bar: 1 } }],
  ['a list', [1, 2]],
  ['a text', 'x'],
  ['null', null],
  ['the keys of an object’s prototype', { constructor: 1, toString: 2, valueOf: 3 }],
])('%s is not recognized', (_, payload) => {
  for (const { score } of rank(recognizer, payload)) expect(score).toBeLessThan(0.6);
});

test.each<[string, JsonValue]>([
  ['generic-message', { title: 'x', message: 'y' }],
  ['generic-message', { title: 'x', text: 'y', level: 'error', host: 'h' }],
  ['generic-message', { title: 'x', severity: 'y', description: 'z', source: 's', host: { name: 'h' } }],
  ['generic-message', { Title: 'x', Message: 'y', Severity: 'error' }],
  ['generic-check', { HOST: 'h', SERVICE: 's', STATE: 'WARNING', OUTPUT: 'o' }],
  ['generic-check', { host_name: 'h', service_description: 's', service_state: 'OK', plugin_output: 'o' }],
  ['generic-check', { host: 'h', service: 's', state: 'WARNING', output: 'o' }],
  ['generic-check', { hostname: 'h', check: 's', status: 'ok', message: 'o' }],
  ['apprise', { version: '1.0', title: 'x', message: 'y', attachments: [], type: 'info' }],
  [
    'nagios',
    {
      NOTIFICATIONTYPE: 'PROBLEM',
      HOSTNAME: 'h',
      HOSTSTATE: 'DOWN',
      HOSTOUTPUT: 'o',
      LASTHOSTSTATECHANGE: '7',
    },
  ],
  ['nagios', { NOTIFICATIONTYPE: 'PROBLEM', HOSTNAME: 'h', HOSTSTATE: 'DOWN', HOSTOUTPUT: 'o' }],
  ['monit', { MONIT_HOST: 'h', MONIT_SERVICE: 's', MONIT_EVENT: 'Exists', MONIT_DESCRIPTION: 'd' }],
  ['cron', { host: 'h', user: 'u', command: 'c', exit: '1', output: '' }],
])('a payload that was written by hand is recognized as %s', (name, payload) => {
  const [best] = rank(recognizer, payload);
  expect(best?.template.name).toBe(name);
  expect(best?.score).toBeGreaterThanOrEqual(0.6);
});

const AT = { startsAt: '2026-03-01T08:00:00Z', endsAt: '0001-01-01T00:00:00Z', fingerprint: '1f2e' };
/** A notification with few labels, of the keys that Alertmanager and Grafana have in common. */
const group = (own: object, ofAlert: object, labels: object = { alertname: 'Slow' }) => ({
  receiver: 'muster',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels,
      annotations: { summary: 'Slow' },
      generatorURL: 'https://m',
      ...AT,
      ...ofAlert,
    },
  ],
  groupLabels: {},
  commonLabels: labels,
  commonAnnotations: {},
  externalURL: 'https://m',
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  ...own,
});

test.each<[string, object]>([
  ['alertmanager', group({}, {})],
  ['alertmanager', group({}, {}, {})],
  ['alertmanager', group({}, { generatorURL: '' })],
  [
    'alertmanager',
    group({}, {}, { alertname: 'Slow', service: 'shop', severity: 'high', grafana_folder: 'x' }),
  ],
  [
    'grafana',
    group({ orgId: 1, title: 't', state: 'alerting', message: 'm' }, { silenceURL: 's', values: null }),
  ],
  [
    'grafana',
    group(
      { orgId: 1, title: 't' },
      { dashboardURL: '', panelURL: '' },
      { alertname: 'Slow', instance: 'a', job: 'b' },
    ),
  ],
])('%s is told from its sibling by keys that only one has, not by labels', (name, payload) => {
  const [best] = rank(recognizer, payload as JsonValue);
  expect(best?.template.name).toBe(name);
  expect(best?.score).toBeGreaterThanOrEqual(0.6);
});

test('a payload without any key of the sample is not recognized by what the tags name alone', () => {
  const mapping = compiled({ fields: { title: { template: '{{webhook.room}}' } } });
  const own = new Recognizer([prepareTemplate({ name: 'own', mapping, sample: { other: 1 } })]);
  expect(rank(own, { room: 'attic' })[0]?.score).toBeLessThan(0.6);
  const nested = compiled({
    fields: { title: { template: '{{webhook.a.b}} {{webhook.a.c}} {{webhook.d}}' } },
  });
  const other = new Recognizer([prepareTemplate({ name: 'own', mapping: nested, sample: { other: 1 } })]);
  expect(rank(other, { a: { b: 1, c: 2 }, d: 3 })[0]?.score).toBeLessThan(0.6);
});

test('a payload that the template filters is recognized like one that it keeps', () => {
  const fields = { title: { template: '{{webhook.room}}' } };
  const template = {
    name: 'own',
    sample: { room: 'x', ok: false },
    mapping: compiled({ filter: '!webhook.ok', fields }),
  };
  const own = new Recognizer([prepareTemplate(template)]);
  const [best] = rank(own, { room: 'y', ok: true });
  expect(best).toMatchObject({ score: 1, fillRate: 1, normalized: { eventState: 'filtered', alerts: [] } });
});

test('keys that only other sources have count against a template', () => {
  const common = { id: '7', message: 'm', level: 'error', details: 'd' };
  const scoreOf = (payload: JsonValue) =>
    rank(recognizer, payload).find(({ template }) => template.name === 'kapacitor')?.score ?? 0;
  const sentry = { culprit: 'c', project_name: 'p', url: 'u', event: { event_id: '1' } };
  expect(scoreOf({ ...common, ...sentry })).toBeLessThan(scoreOf(common) - 0.05);
});

test('a payload without some paths is recognized, and says how many of them match', () => {
  const sample = structuredClone(findSource('grafana')?.sample) as { alerts: Record<string, unknown>[] };
  for (const alert of sample.alerts) delete alert.labels;
  const [best] = rank(recognizer, sample as unknown as JsonValue);
  expect(best?.template.name).toBe('grafana');
  expect(best?.matchedPaths).toBeLessThan(best?.requiredPaths as number);
  expect(best?.fillRate).toBeLessThan(1);
});

test('a template of literal text only is recognized by the keys of its sample', () => {
  const mapping = compiled({ fields: { title: { template: 'always the same' } } });
  const template = { name: 'own', mapping, sample: { reading: 1, sensor: { room: 'x' } } };
  const own = new Recognizer([prepareTemplate(template)]);
  const [best] = rank(own, { reading: 2, sensor: { room: 'y' } });
  expect(best).toMatchObject({ requiredPaths: 0, matchedPaths: 0, fillRate: 0, score: 0.9 });
  expect(rank(own, { other: 1 })).toEqual([]);
});

test('the paths of expressions count, and those of the request if there is one', () => {
  const mapping = compiled({
    fields: {
      title: { expression: 'webhook.kind + " in " + webhook.room' },
      source: { template: '{{request.headers["x-probe"]}}' },
      service: { expression: 'request.query.site' },
    },
  });
  const template = { name: 'own', mapping, sample: { kind: 'heat', room: 'x' } };
  const [found] = new Recognizer([prepareTemplate(template)]).resembling({ kind: 'cold', room: 'y' });
  const counted = (subject: Parameters<typeof tryTemplate>[1]) => {
    const { matchedPaths, requiredPaths } = tryTemplate(found as NonNullable<typeof found>, subject);
    return [matchedPaths, requiredPaths];
  };
  expect(counted({ payload: { kind: 'cold', room: 'y' } })).toEqual([2, 2]);
  expect(counted({ payload: { kind: 'cold' } })).toEqual([1, 2]);
  const request = { method: 'POST', contentType: null, query: {}, headers: { 'x-probe': '7' } };
  expect(counted({ payload: { kind: 'cold', room: 'y' }, request })).toEqual([3, 4]);
});

const MAIN = {
  sample: { room: 'x', heat: 1 },
  mapping: compiled({ fields: { title: { template: '{{webhook.room}}' } } }),
};
const OTHER = { name: 'other', sample: { at: 'x', who: 'y', size: 1 }, mapping: compiled({ fields: {} }) };

test('a payload like another sample is recognized, and its tags are counted by that sample', () => {
  const mapping = compiled({
    fields: { title: { template: '{{webhook.room|webhook.title}}' }, team: { template: '{{webhook.heat}}' } },
  });
  const own = new Recognizer(
    [{ ...MAIN, mapping, name: 'own', otherSamples: [{ title: 'x', at: 'y' }] }, OTHER].map(prepareTemplate),
  );
  expect(rank(own, { title: 'z', at: 'w' })[0]).toMatchObject({
    template: { name: 'own' },
    requiredPaths: 1,
    matchedPaths: 1,
  });
  expect(rank(own, { room: 'z', heat: 2 })[0]).toMatchObject({ requiredPaths: 2, matchedPaths: 2 });
});

test('a payload all of whose keys only one source has is recognized, although it reads few of them', () => {
  const sample = { ...MAIN.sample, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
  const own = new Recognizer([{ ...MAIN, name: 'own', sample }, OTHER].map(prepareTemplate));
  expect(rank(own, { a: 1, b: 2, c: 3 })[0]?.score).toBeGreaterThanOrEqual(0.6);
  for (const payload of [
    { a: 1, b: 2 },
    { a: 1, b: 2, c: 3, at: 'x', who: 'y' },
    { a: 1, b: 2, c: 3, x: 1, y: 2 },
  ])
    expect(rank(own, payload)[0]?.score).toBeLessThan(0.6);
});

test('the paths of a first and of a condition are alternatives', () => {
  const mapping = compiled({
    fields: {
      title: { expression: 'first(webhook.room, webhook.place)' },
      description: { expression: 'has(webhook.heat) ? string(webhook.heat) : webhook.cold' },
    },
  });
  const own = new Recognizer([prepareTemplate({ name: 'own', sample: { room: 'x', heat: 1 }, mapping })]);
  expect(rank(own, { place: 'z', cold: '2' })[0]).toMatchObject({ requiredPaths: 2, matchedPaths: 2 });
});

const alertmanager = findSource('alertmanager')?.sample as { alerts: JsonValue[] };
const MIB = 1024 * 1024;
const HOSTILE: Record<string, JsonValue> = {
  'many keys': Object.fromEntries(Array.from({ length: 50_000 }, (_, key) => [`key ${key}`, { a: key }])),
  'a long list of tags': { title: 'x', tags: Array(60_000).fill('env:production'), message: 'm' },
  'texts that look like JSON': Object.fromEntries(
    ['title', 'message', 'tags', 'alert', 'event', 'data'].map((key) => [key, '{'.repeat(MIB / 6)]),
  ),
  'a text of names and values': { title: 'x', tags: 'severity: x, '.repeat(MIB / 13), message: 'm' },
  'deeply nested lists': JSON.parse(`{"alerts":${'['.repeat(60)}1${']'.repeat(60)}}`),
  'many alerts of Alertmanager': {
    ...alertmanager,
    alerts: Array(1_000).fill(alertmanager.alerts[0]),
  },
};

test.each(Object.entries(HOSTILE))('no step holds the event loop for 100 ms: %s', (_, payload) => {
  const steps: (() => unknown)[] = [() => recognizer.resembling(payload)];
  for (const one of recognizer.resembling(payload)) steps.push(() => tryTemplate(one, { payload }));
  for (const step of steps) expectQuick(step, 100);
});
