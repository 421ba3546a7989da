import { describe, expect, test } from '@jest/globals';
import {
  catalogue,
  findSource,
  mergePatch,
  resolvingSample,
} from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import type { JsonValue } from '../../../../workers/mapping/index.js';
import { run } from '../mapping.js';
import { PROBLEMS, type Problem } from './problems.js';
import { Timeline } from './timeline.js';

/** Sources whose events are single: they send no key, or never report that a problem is over. */
const SINGLE = [
  'elastalert',
  'generic-alert',
  'generic-application',
  'generic-message',
  'graylog',
  'netbox',
  'splunk',
];

/** Sources whose sample itself is not the kind of event that recovers. */
const OTHER_KIND = ['hetrixtools-resource', 'sentry-event-alert'];

test('every source has a problem that recovers, or a reason why not', () => {
  const names = [...Object.keys(PROBLEMS), ...SINGLE, ...OTHER_KIND];
  expect(names.sort()).toEqual(catalogue.map(({ name }) => name));
});

test.each(SINGLE)('%s: every event is an alert of its own', (name) => {
  const { mapping, recovery } = findSource(name) as CatalogueSource;
  expect([mapping.fields.dedupKey, recovery]).toEqual([undefined, undefined]);
});

describe.each(Object.entries(PROBLEMS))('%s', (name, { again, other, next }: Problem) => {
  const source: CatalogueSource = findSource(name) as CatalogueSource;
  const { sample, mapping } = source;
  const resolving = resolvingSample(source);
  const change = (patch: JsonValue) => mergePatch(sample, patch);
  const [key, ...alsoFiring] = run(mapping, sample).alerts.map(({ series }) => series?.dedupKey);
  const ownAlerts = (timeline: Timeline) => timeline.alerts.filter((alert) => alert.key === key);

  test('the problem, the same again and its end are one alert', () => {
    const timeline = new Timeline(mapping).add(sample).add(change(again));
    expect(ownAlerts(timeline)).toMatchObject([{ eventCount: 2, status: 'firing', state: 'complete' }]);
    timeline.add(resolving);
    expect(ownAlerts(timeline)).toMatchObject([{ eventCount: 3, status: 'resolved', state: 'complete' }]);
    expect(timeline.standAlone).toBe(0);
  });

  test('another problem is another alert, and stays open', () => {
    const timeline = new Timeline(mapping).add(sample).add(change(other)).add(resolving);
    const open = timeline.alerts.filter(
      (alert) => !alsoFiring.includes(alert.key ?? undefined) && alert.status === 'firing',
    );
    expect(open).toMatchObject([{ eventCount: 1 }]);
    expect(open[0]?.key).not.toBe(key);
    expect(ownAlerts(timeline)).toMatchObject([{ eventCount: 2, status: 'resolved' }]);
  });

  test('the end alone makes no alert', () => {
    const timeline = new Timeline(mapping).add(resolving);
    expect([timeline.alerts, timeline.outcomes]).toEqual([[], ['nothing_to_resolve']]);
  });

  // A mapping of several kinds of events, such as that of Sentry, may have occurrences for other kinds than the sample's.
  const hasOccurrence = source.expected.some(({ occurrence }) => occurrence !== undefined);
  const tellsLateNews = mapping.final === true || hasOccurrence;

  test('the problem after its end is a new one, or late news', () => {
    const timeline = new Timeline(mapping).add(sample).add(resolving).add(change(again));
    expect(ownAlerts(timeline).map(({ status }) => status)).toEqual(
      tellsLateNews ? ['resolved'] : ['resolved', 'firing'],
    );
  });

  if (hasOccurrence) {
    test('the next occurrence is a new alert', () => {
      if (next === undefined) throw new Error('problems.ts needs the next occurrence of the problem');
      const timeline = new Timeline(mapping).add(sample).add(resolving).add(change(next));
      expect(ownAlerts(timeline).map(({ status }) => status)).toEqual(['resolved', 'firing']);
    });
  }

  test('the words of its statuses are known', () => {
    for (const payload of [sample, change(again), change(other), resolving]) {
      for (const { fields } of run(mapping, payload).alerts) {
        expect(fields.status?.warnings).toEqual([]);
        expect(fields.dedupKey?.warnings).toEqual([]);
      }
    }
  });
});
