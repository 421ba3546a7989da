import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  catalogue,
  findSource,
  mergePatch,
  resolvingSample,
} from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import type { JsonValue } from '../../../../workers/mapping/index.js';
import { Timeline } from './timeline.js';

const statusesOf = (name: string, patches: readonly JsonValue[]): (string | null)[] => {
  const { mapping, sample } = findSource(name) as CatalogueSource;
  const timeline = new Timeline(mapping);
  for (const patch of patches) timeline.add(mergePatch(sample, patch));
  return timeline.all.map(({ status }) => status);
};

/** Templates whose payloads have neither a time nor a number that grows, nor a key that ends for ever. */
const listed = /^## Which sources cannot tell late news\?\n(.*?)^## /ms.exec(
  readFileSync('docs/templates.md', 'utf8'),
);
const UNABLE = [...(listed?.[1] ?? '').matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
  [...(cell as string).matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name as string),
);

test('docs/templates.md names the templates that cannot tell late news', () => {
  const unable = catalogue
    .filter(({ mapping, recovery }) => recovery !== undefined && !mapping.final && !mapping.fields.occurrence)
    .map(({ name }) => name);
  expect([...UNABLE].sort()).toEqual(unable);
});

/** Of templates whose sample has an occurrence or whose key ends for ever. */
const ABLE = catalogue.filter(
  ({ mapping, recovery, expected }) =>
    recovery !== undefined && (mapping.final || expected[0]?.occurrence !== undefined),
);

test.each(ABLE.map((source) => [source.name, source] as const))(
  '%s: the problem that arrives again after its end opens no alert',
  (_, source) => {
    const { mapping, sample } = source;
    const timeline = new Timeline(mapping).add(sample).add(resolvingSample(source));
    const before = timeline.alerts.length;
    timeline.add(sample);
    expect(timeline.alerts).toHaveLength(before);
    expect(timeline.outcomes.slice(-before)).toContain('outdated');
  },
);

const ended = (id: number, status: string, time: string) => ({
  object_attributes: { id, status, finished_at: `2026-02-03 ${time} UTC` },
});
const down = (STATUS: string, time: string) => ({ STATUS, INCIDENT_TIME_ISO: `2026-02-03T${time}:00+0530` });
const sentryEvent = (datetime: string) => ({
  action: 'triggered',
  data: { issue: null, event: { title: 'TypeError', issue_id: '4400123', datetime } },
});
const sentryIssue = (action: string, status: string) => ({ action, data: { issue: { status } } });
const monit = (event: string, date: string) => ({ MONIT_EVENT: `Connection ${event}`, MONIT_DATE: date });

test.each<[name: string, what: string, patches: JsonValue[], statuses: string[]]>([
  [
    'gitlab-pipeline',
    'a pipeline that is retried fails again, and its success arrives late',
    [
      ended(7, 'failed', '10:00:00'),
      ended(7, 'success', '10:10:00'),
      ended(7, 'failed', '10:20:00'),
      ended(7, 'success', '10:10:00'),
    ],
    ['resolved', 'firing'],
  ],
  [
    'gitlab-pipeline',
    'an older pipeline that is retried',
    [ended(8, 'failed', '10:00:00'), ended(9, 'success', '10:10:00'), ended(8, 'failed', '10:20:00')],
    ['resolved'],
  ],
  [
    'site24x7',
    'the states of a monitor, of which the first one arrives late',
    [down('TROUBLE', '10:00'), down('DOWN', '10:05'), down('UP', '10:00'), down('TROUBLE', '10:00')],
    ['resolved'],
  ],
  [
    'sentry-issue',
    'an event before the end, and one after it',
    [
      sentryEvent('2026-02-03T10:00:00.000000Z'),
      sentryIssue('resolved', 'resolved'),
      sentryEvent('2026-02-03T10:00:00.000000Z'),
      sentryEvent('2026-02-03T10:30:00.000000Z'),
    ],
    ['resolved', 'firing'],
  ],
  [
    'sentry-issue',
    'an issue that somebody reopens, without another event',
    [{}, sentryIssue('resolved', 'resolved'), sentryIssue('unresolved', 'unresolved')],
    ['resolved', 'firing'],
  ],
  [
    'monit',
    'an hour that comes twice',
    [
      monit('failed', 'Sun, 25 Oct 2026 02:10:00'),
      monit('succeeded', 'Sun, 25 Oct 2026 02:50:00'),
      monit('failed', 'Sun, 25 Oct 2026 02:20:00'),
    ],
    ['resolved', 'firing'],
  ],
  [
    'healthchecks',
    'a body with the time',
    [
      { timestamp: '2026-02-03T10:00:00+00:00' },
      { event_type: 'resolve', timestamp: '2026-02-03T10:10:00+00:00' },
      { timestamp: '2026-02-03T10:00:00+00:00' },
    ],
    ['resolved'],
  ],
  [
    'solarwinds',
    'an alert that is active again',
    [
      { AlertActiveID: '40' },
      { AlertActiveID: '40', ActionType: 'Reset' },
      { AlertActiveID: '40' },
      { AlertActiveID: '41' },
    ],
    ['resolved', 'firing'],
  ],
  [
    'dynatrace',
    'a short number of an old version, which comes back',
    [
      { PID: null, ProblemID: '770' },
      { PID: null, ProblemID: '770', State: 'RESOLVED' },
      { PID: null, ProblemID: '770' },
    ],
    ['resolved', 'firing'],
  ],
])('%s: %s', (name, _, patches, statuses) => {
  expect(statusesOf(name, patches)).toEqual(statuses);
});

const OK = { OK: 'resolved', UP: 'resolved' };

test.each(
  [
    ...['ACKNOWLEDGEMENT', 'CUSTOM', 'FLAPPINGSTART', 'DOWNTIMESTART'].map((type) => [type, false] as const),
    ...['FLAPPINGSTOP', 'FLAPPINGDISABLED', 'DOWNTIMEEND', 'DOWNTIMECANCELLED'].map(
      (type) => [type, true] as const,
    ),
    ...['FLAPPINGEND', 'DOWNTIMEREMOVED'].map((type) => [type, true] as const),
  ].flatMap(([type, opens]) =>
    ['OK', 'CRITICAL', 'UP', 'DOWN'].map((state) => [type, state, opens] as const),
  ),
)('nagios and checkmk: %s with the state %s', (type, state, opens) => {
  const isHost = state === 'UP' || state === 'DOWN';
  const nagios = isHost
    ? { NOTIFICATIONTYPE: type, SERVICEDESC: null, SERVICESTATE: null, HOSTSTATE: state }
    : { NOTIFICATIONTYPE: type, SERVICESTATE: state };
  const problem = isHost ? { ...nagios, NOTIFICATIONTYPE: 'PROBLEM', HOSTSTATE: 'DOWN' } : {};
  const checkmk = isHost
    ? { notification_type: type, service: null, status: state }
    : { notification_type: type, severity: state };
  const checkmkProblem = isHost ? { service: null, status: 'DOWN' } : {};
  const after = (OK as Record<string, string>)[state] ?? 'firing';
  expect(statusesOf('nagios', [problem, nagios])).toEqual([after]);
  expect(statusesOf('checkmk', [checkmkProblem, checkmk])).toEqual([after]);
  expect(statusesOf('nagios', [nagios])).toEqual(after === 'firing' && opens ? ['firing'] : []);
  expect(statusesOf('checkmk', [checkmk])).toEqual(after === 'firing' && opens ? ['firing'] : []);
});

test('monit: events that tell of no problem make no alert, and tests of several kinds are several problems', () => {
  const event = (MONIT_EVENT: string) => ({ MONIT_EVENT, test: null });
  expect(statusesOf('monit', ['Action done', 'Monit instance changed'].map(event))).toEqual([]);
  expect(statusesOf('monit', ['Monit instance failed', 'Monit instance changed not'].map(event))).toEqual([
    'resolved',
  ]);
  const events = [
    'Resource limit matched',
    'Connection failed',
    'Connection succeeded',
    'Does not exist',
    'Exists',
  ];
  expect(statusesOf('monit', events.map(event))).toEqual(['firing', 'resolved', 'resolved']);
});

test('uptime-kuma: a certificate whose name has spaces is one problem, and nothing to say leaves no N/A', () => {
  const notice = (days: number) => ({
    heartbeat: null,
    monitor: null,
    msg: `[Wiki][https://wiki.example.com] server certificate Example Wiki CA will expire in ${days} days`,
  });
  const { mapping, sample } = findSource('uptime-kuma') as CatalogueSource;
  const timeline = new Timeline(mapping)
    .add(mergePatch(sample, notice(14)))
    .add(mergePatch(sample, notice(7)));
  expect(timeline.alerts).toMatchObject([
    { title: 'The certificate of Example Wiki CA expires soon', eventCount: 2 },
  ]);
  for (const msg of ['N/A', null]) {
    const silent = mergePatch(sample, { heartbeat: { msg }, msg: '[Wiki] [Down] N/A' });
    expect(new Timeline(mapping).add(silent).alerts[0]?.description).toBe('[Wiki] [Down]');
  }
});
