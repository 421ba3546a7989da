import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRESETS } from '../../../workers/outbox/presets/index.js';
import type { Told } from '../../../workers/outbox/presets/preset.js';
import { cases, enoughTime } from '../../support/effort.js';
import { hostileTold } from '../../support/outbox/hostile-told.js';
import { FIRED } from '../../support/outbox/told.js';

type Name = keyof typeof PRESETS;
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever its receiver reads
type Body = any;

/** Parses a body as a strict receiver does. */
function bodyOf(name: Name, told: Told): { body: Body; text: string } {
  const { contentType, text } = PRESETS[name].render(told, 'R0UT1NGK3Y');
  expect(contentType).toBe('application/json');
  expect(text.isWellFormed()).toBe(true);
  const body: Body = JSON.parse(text);
  expect(textsIn(body).filter((part) => !part.isWellFormed())).toEqual([]);
  return { body, text };
}

/** Returns all texts of a value, and the names of its properties. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}

/** Counts as the strictest receiver does: each character as often as it takes in JSON. */
const sizeOf = (value: unknown): number => JSON.stringify(value).length - 2;

/** Returns a message in which each text is longer than any receiver takes. */
function longest(character: string): Told {
  const text = character.repeat(100_000);
  const short = character.repeat(1_000);
  const texts = {
    title: text,
    description: text,
    source: text,
    service: text,
    environment: text,
    team: text,
  };
  const others = { webhookName: text, dedupKey: text, severity: text, peakSeverity: text, resolution: text };
  const custom = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}${short}`, short]));
  return { ...FIRED, alert: { ...FIRED.alert, ...texts, ...others, custom } };
}

function check(name: Name, verify: (body: Body, told: Told, text: string) => void): void {
  const property = fc.property(hostileTold, (told) => {
    const { body, text } = bodyOf(name, told);
    verify(body, told, text);
  });
  // Without shrinking: messages are too large for it.
  const examples: [Told][] = ['x', '"', '&', 'ü', '😀', '\ud800'].map((character) => [longest(character)]);
  fc.assert(property, { numRuns: cases(100), endOnFailure: true, examples });
}

/** Expects a text that is not empty, of at most that many characters. */
function expectFit(text: unknown, most: number): void {
  expect(typeof text).toBe('string');
  expect(String(text).trim()).not.toBe('');
  expect(sizeOf(text)).toBeLessThanOrEqual(most);
}

const LINE = /^(TEST )?(FIRED|CHANGED|STILL FIRING|RESOLVED)( (after|for) [\d,]+ \w+( \d+ \w+)?)?: \S/;

describe('whatever an alert contains, its message stays within the limits of', () => {
  test(
    'Slack',
    () => {
      check('slack', ({ text, attachments: [{ blocks, color }] }) => {
        expect(text).toMatch(LINE);
        expectFit(text, 40_000);
        expect(color).toMatch(/^#[0-9a-f]{6}$/);
        expect(blocks.length).toBeLessThanOrEqual(50);
        expect(sizeOf(blocks)).toBeLessThanOrEqual(13_200);
        for (const { text: section, fields, elements } of blocks) {
          if (section) expectFit(section.text, 3_000);
          if (fields) expect(fields.length).toBeGreaterThan(0);
          expect(fields?.length ?? 0).toBeLessThanOrEqual(10);
          for (const field of fields ?? []) expectFit(field.text, 2_000);
          for (const element of elements ?? []) expectFit(element.text, 3_000);
        }
      });
    },
    enoughTime(60_000),
  );

  test(
    'Mattermost',
    () => {
      check('mattermost', ({ text, attachments: [{ fallback, fields }] }, _, whole) => {
        expect(text).toMatch(LINE);
        expect(fallback).toBe(text);
        expect(whole.length).toBeLessThanOrEqual(16_383);
        for (const { title, value } of fields) {
          expectFit(title, 100);
          expectFit(value, 1_000);
        }
      });
    },
    enoughTime(60_000),
  );

  test(
    'Discord',
    () => {
      check('discord', ({ content, embeds, allowed_mentions }) => {
        expect(content).toMatch(LINE);
        expectFit(content, 2_000);
        expect(allowed_mentions).toEqual({ parse: [] });
        const [{ title, description, fields, footer, timestamp, color }] = embeds;
        expect(embeds).toHaveLength(1);
        expectFit(title, 256);
        if (description !== undefined) expectFit(description, 4_096);
        expect(fields.length).toBeLessThanOrEqual(25);
        for (const { name, value } of fields) {
          expectFit(name, 256);
          expectFit(value, 1_024);
        }
        expectFit(footer.text, 2_048);
        const texts = [title, description, footer.text, ...fields.flatMap(textsIn)];
        const counted = texts.filter(
          (text) => text !== undefined && !['name', 'value', 'inline'].includes(text),
        );
        expect(counted.reduce((sum, text) => sum + sizeOf(text), 0)).toBeLessThanOrEqual(6_000);
        expect(new Date(timestamp).toISOString()).toBe(timestamp);
        expect(color).toBeLessThanOrEqual(0xffffff);
      });
    },
    enoughTime(60_000),
  );

  test(
    'Teams',
    () => {
      check('teams', ({ summary, attachments: [{ contentType, content }] }, _, whole) => {
        expect(summary).toMatch(LINE);
        expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(28 * 1_000);
        expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
        expect(content.version).toBe('1.4');
        for (const { type, items = [], inlines = [] } of content.body) {
          expect(['Container', 'RichTextBlock']).toContain(type);
          for (const { text } of [...inlines, ...items.flatMap((item: Body) => item.inlines)])
            expect(text.trim()).not.toBe('');
        }
      });
    },
    enoughTime(60_000),
  );

  test(
    'PagerDuty',
    () => {
      check('pagerduty', ({ routing_key, event_action, dedup_key, payload }, { type }, whole) => {
        expect(routing_key).toBe('R0UT1NGK3Y');
        expect(event_action).toBe(type === 'alert.resolved' ? 'resolve' : 'trigger');
        expectFit(dedup_key, 255);
        expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(512_000);
        if (type === 'alert.resolved') return;
        expectFit(payload.summary, 1_024);
        expectFit(payload.source, 1_024);
        expect(['critical', 'error', 'warning', 'info']).toContain(payload.severity);
      });
    },
    enoughTime(60_000),
  );

  test(
    'Alertmanager',
    () => {
      check('alertmanager', (list, { type, at }) => {
        for (const { labels, annotations, startsAt, endsAt } of list) {
          for (const name of [...Object.keys(labels), ...Object.keys(annotations)])
            expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
          expect(Object.values(labels)).not.toContain('');
          expect(Date.parse(startsAt)).toBeLessThanOrEqual(Date.parse(endsAt));
        }
        expect(Date.parse(list[0].endsAt) > Date.parse(at)).toBe(type !== 'alert.resolved');
      });
    },
    enoughTime(60_000),
  );

  test(
    'a webhook, which gets the whole alert',
    () => {
      check('webhook', ({ type, timestamp, data }, told) => {
        expect({ type, timestamp }).toEqual({ type: told.type, timestamp: told.at });
        expect(data.alert.description).toBe(told.alert.description?.toWellFormed() ?? null);
        const names = Object.keys(told.alert.custom).map((name) => name.toWellFormed());
        expect(new Set(Object.keys(data.alert.custom))).toEqual(new Set(names));
      });
    },
    enoughTime(60_000),
  );
});

const described = (description: string, title = 'High CPU') => ({
  ...FIRED,
  alert: { ...FIRED.alert, description, title },
});
const CHATS = ['slack', 'mattermost', 'discord', 'teams'] as const;
const NOTE = 'cut; the whole text is in Muster';

describe.each(CHATS)('%s', (name) => {
  test('says that something was cut, and only then', () => {
    const short = PRESETS[name].render(described('All is well'), null).text;
    const long = PRESETS[name].render(described('x'.repeat(100_000)), null).text;
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field ${index}`, 'value']));
    const fields = { ...FIRED, alert: { ...FIRED.alert, custom: many } };
    expect(short).not.toContain(NOTE);
    expect(long).toContain(NOTE);
    expect(PRESETS[name].render(fields, null).text).toContain(NOTE);
  });

  test('cuts details and not the title', () => {
    const title = `${'long title '.repeat(20)}end`;
    expect(PRESETS[name].render(described('x'.repeat(100_000), title), null).text).toContain(title);
  });

  test('cuts between code points', () => {
    for (const start of ['', 'a', 'ab', 'abc'])
      bodyOf(name, described(start + '😀'.repeat(30_000), start + '😀'.repeat(1_000)));
  });
});

test('Slack and Mattermost get no mention and no link that hides where it leads', () => {
  const evil = '<!channel> <@U1> <https://evil.example.com|Muster> @channel @all _@channel .@all';
  const alert = { ...FIRED.alert, title: evil, description: evil, source: evil, custom: { [evil]: evil } };
  const told = { ...FIRED, alert };
  const slackTexts = textsIn(bodyOf('slack', told).body).join('\n');
  const links = slackTexts.match(/<[^>]*>/g) ?? [];
  expect(new Set(links)).toEqual(
    new Set(['<https://evil.example.com>', `<${FIRED.alert.link}|Open in Muster>`]),
  );
  expect(slackTexts.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
  expect(textsIn(bodyOf('mattermost', told).body).join('\n')).not.toMatch(/[<>]/);
  expect(textsIn(bodyOf('mattermost', told).body).join('\n')).not.toMatch(/@(channel|all)/);
});

test('Mattermost and Discord get no link with another text', () => {
  const byReference = '[Muster][1] ![x][1]\n\n[1]: https://evil.example.com';
  const told = described(
    `[Muster](https://evil.example.com) ${byReference}`,
    '![x](https://evil.example.com)',
  );
  for (const name of ['mattermost', 'discord'] as const)
    expect(PRESETS[name].render(told, null).text).not.toMatch(/\][(:]/);
});

test('an event that is too large for PagerDuty loses its custom fields, and says so', () => {
  const custom = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}`, 'ü'.repeat(10_000)]));
  const { payload } = bodyOf('pagerduty', { ...FIRED, alert: { ...FIRED.alert, custom } }).body;
  expect(payload.custom_details).toMatchObject({ description: FIRED.alert.description, muster: NOTE });
  expect(Object.keys(payload.custom_details)).not.toContain('1');
});

test('alerts of different keys and integrations are different incidents, and a test is one of its own', () => {
  const keyOf = (change: object, isTest = false) =>
    bodyOf('pagerduty', { ...FIRED, isTest, alert: { ...FIRED.alert, ...change } }).body.dedup_key;
  const long = 'k'.repeat(300);
  const changes = [{}, { webhookId: 'other' }, { dedupKey: `${long}1` }, { dedupKey: `${long}2` }];
  const keys = [...changes.map((change) => keyOf(change)), keyOf({ dedupKey: null }), keyOf({}, true)];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf({ title: 'Other', severity: 'info' })).toBe(keyOf({}));
});

test('PagerDuty gets each custom field, also of a name that Muster uses, and none that hides what it says', () => {
  const custom = { key: 'mine', severity: 'mine too', region: 'a\u202eb\u0007' };
  const { body } = bodyOf('pagerduty', { ...FIRED, alert: { ...FIRED.alert, custom } });
  expect(body.payload.custom_details).toMatchObject({
    key: FIRED.alert.dedupKey,
    severity: FIRED.alert.severity,
    custom_key: 'mine',
    custom_severity: 'mine too',
    region: 'ab',
  });
});
