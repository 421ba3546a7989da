import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PRESETS } from '../../../workers/outbox/presets/index.js';
import { CHANGED, FIRED, REPEATED, RESOLVED } from '../../support/outbox/told.js';

describe.each(Object.entries(PRESETS))('%s', (name, preset) => {
  const expected = JSON.parse(readFileSync(`test/unit/outbox/bodies/${name}.json`, 'utf8'));

  test.each(Object.entries({ FIRED, CHANGED, REPEATED, RESOLVED }))('an alert that is %s', (type, told) => {
    const body = JSON.parse(preset.render(told, 'R0UT1NGK3Y').text);
    expect(body).toEqual(expected[type.toLowerCase()]);
  });

  test('has the name under which it is exported', () => {
    expect(preset.name).toBe(name);
  });
});

const DIGEST = { told: [CHANGED, FIRED, REPEATED, RESOLVED], link: 'https://muster.example.com/alerts' };

test.each(['slack', 'mattermost', 'discord', 'teams', 'email'] as const)('a digest in %s', (name) => {
  const { digest } = JSON.parse(readFileSync(`test/unit/outbox/bodies/${name}.json`, 'utf8'));
  expect(JSON.parse(PRESETS[name].renderDigest?.(DIGEST).text ?? '')).toEqual(digest);
});

const titleIn = (name: 'slack' | 'mattermost', change: object): string =>
  JSON.parse(PRESETS[name].render({ ...FIRED, ...change }, null).text).text;

test('the first line says what happened, for phones', () => {
  expect(titleIn('slack', {})).toBe('FIRED: High CPU on web-1 (warning)');
  expect(titleIn('slack', { isTest: true })).toBe('TEST FIRED: High CPU on web-1 (warning)');
  const { alert } = FIRED;
  expect(titleIn('slack', { alert: { ...alert, title: 'Two\nlines', severity: null } })).toBe(
    'FIRED: Two lines',
  );
  expect(titleIn('slack', { alert: { ...alert, title: null } })).toBe('FIRED: Alert of CPU alarms (warning)');
  expect(titleIn('slack', REPEATED)).toBe('STILL FIRING for 4 hours: High CPU on web-1 (warning)');
  expect(titleIn('mattermost', RESOLVED)).toBe('RESOLVED after 12 minutes: High CPU on web-1');
});

const alertmanagerItems = (told: object) =>
  JSON.parse(PRESETS.alertmanager.render({ ...FIRED, ...told }, null).text);

test('Alertmanager is told to end an alert whose labels have changed, and only then', () => {
  const { before, ...unknown } = CHANGED;
  expect(alertmanagerItems(CHANGED)).toHaveLength(2);
  expect(alertmanagerItems(unknown)).toHaveLength(1);
  expect(alertmanagerItems({ ...CHANGED, before: { ...CHANGED.alert, title: 'Other' } })).toHaveLength(1);
});

test('custom fields whose names Alertmanager cannot take all stay', () => {
  const custom = { 'a.b': '1', 'a-b': '2', 'a b': '3', 'a-b_2': '4' };
  const [{ annotations }] = alertmanagerItems({ alert: { ...FIRED.alert, custom } });
  const kept = Object.entries(annotations).filter(([name]) => name.startsWith('custom_'));
  expect(kept.map(([, value]) => value)).toEqual(['1', '2', '3', '4']);
});

test('a test of Alertmanager ends after 5 minutes and is another alert', () => {
  const [item] = alertmanagerItems({ isTest: true });
  expect(item.endsAt).toBe('2026-03-01T08:05:00.000Z');
  expect(item.labels.muster_test).toBe('true');
});
