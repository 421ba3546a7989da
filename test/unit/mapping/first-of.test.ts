import { describe, expect, test } from '@jest/globals';
import { type Mapping, statistics } from '../../../workers/mapping/index.js';
import { asJson, compiled, errorsOf, run, title } from './mapping.js';

const payload = {
  zero: 0,
  no: false,
  empty: '',
  blank: ' \n',
  nothing: null,
  list: [],
  object: {},
  name: 'Disk is full',
  tags: ['env:production'],
  'a|b': 'key with a bar',
  hosts: [{ name: 'web-1' }, { id: 7 }, {}],
};

describe('a first-of renders the first value that is not missing', () => {
  test.each([
    ['{{webhook.gone|webhook.name}}', 'Disk is full'],
    ['{{webhook.name|webhook.zero}}', 'Disk is full'],
    ['{{ webhook.gone | webhook.nothing | webhook.name }}', 'Disk is full'],
    ['{{{webhook.gone|webhook.name}}}{{&webhook.gone|webhook.name}}', 'Disk is fullDisk is full'],
    ['{{webhook.zero|webhook.name}}', '0'],
    ['{{webhook.no|webhook.name}}', 'false'],
    ['{{webhook.gone|webhook.tags.env}}', 'production'],
    ['{{webhook.gone|webhook["a|b"]}} {{webhook[\'a|b\']|webhook.name}}', 'key with a bar key with a bar'],
    ['{{#webhook.hosts}}{{name|id|webhook.name}}, {{/webhook.hosts}}', 'web-1, 7, Disk is full,'],
    ['{{#webhook.gone|webhook.tags}}{{.}}{{/webhook.gone|webhook.tags}}', 'env:production'],
    ['{{^webhook.gone|webhook.list}}none{{/webhook.gone|webhook.list}}', 'none'],
  ])('%s', (template, value) => {
    expect(title(template, payload)).toMatchObject({ value, result: 'resolved', missing: [] });
  });

  test.each(['empty', 'blank', 'nothing', 'list', 'object', 'gone'])(
    '%s is missing, as in any tag',
    (path) => {
      expect(title(`{{webhook.${path}|webhook.name}}`, payload).value).toBe('Disk is full');
    },
  );

  test('an element of a split and the whole payload can stand in for each other', () => {
    const mapping: Mapping = {
      split: 'hosts',
      fields: { title: { template: '{{item.name|webhook.name}}' } },
    };
    const titles = run(mapping, payload).alerts.map(({ fields }) => fields.title.value);
    expect(titles).toEqual(['web-1', 'Disk is full', 'Disk is full']);
  });
});

describe('a first-of without any value', () => {
  test('makes the field missing and names every path with the nearest existing path', () => {
    const result = title('{{webhook.nmae|webhook.zzz}} on web-1', payload);
    expect(result).toMatchObject({ value: null, result: 'missing' });
    expect(result.paths).toEqual(['webhook.nmae', 'webhook.zzz']);
    expect(asJson(result.missing)).toEqual([
      { path: 'webhook.nmae', nearest: 'webhook.name' },
      { path: 'webhook.zzz', nearest: null },
    ]);
  });

  test('gives way to the default', () => {
    const result = title('{{webhook.gone|webhook.empty}}', payload, { default: 'unknown' });
    expect(result).toMatchObject({ value: 'unknown', result: 'defaulted' });
  });
});

test('a resolved first-of reports the paths it passed over as absent', () => {
  expect(title('{{webhook.gone|webhook.name}}', payload).absent).toEqual(['webhook.gone']);
});

test('the first path counts as vanished even if another path has a value', () => {
  const mapping: Mapping = { fields: { title: { template: '{{webhook.a|webhook.b}}' } } };
  const payloads = [{ b: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1 }];
  const observations = payloads.map((one, i) => ({ eventId: `e${i}`, normalized: run(mapping, one) }));
  const { vanished } = statistics(compiled(mapping), observations);
  expect(vanished).toEqual([{ field: 'title', path: 'webhook.a', lastSeen: 'e2', missingSince: 2 }]);
});

describe('an invalid first-of is rejected with the position of the path', () => {
  test.each([
    ['x {{webhook.a| upper}}', 'unknown_name', 16],
    ['{{webhook.a|item.b}}', 'no_item', 13],
    ['{{webhook.a|webhook..b}}', 'bad_path', 13],
    ['{{webhook.a|}}', 'bad_path', 13],
    ['{{|webhook.a}}', 'bad_path', 3],
    ['{{webhook.a||webhook.b}}', 'bad_path', 13],
    ['{{#webhook.a|webhook.b}}{{/webhook.b|webhook.a}}', 'unclosed_section', 25],
  ])('%s', (template, code, column) => {
    const errors = errorsOf({ fields: { title: { template } } });
    expect(errors).toMatchObject([{ field: 'fields.title.template', code, line: 1, column }]);
  });
});
