import { expect, test } from '@jest/globals';
import type { Mapping } from '../../../../api/console/http/types.ts';
import {
  type Draft,
  toDraft,
  toMapping,
  unmappedRequired,
} from '../../../../api/console/mapping/model/draft/draft.ts';
import { type DraftAction, reduceDraft } from '../../../../api/console/mapping/model/draft/draft-reducer.ts';

const MAPPING: Mapping = {
  split: 'webhook.alerts',
  expandJson: ['Message'],
  fields: {
    severity: { template: '{{item.level}}', default: 'info', values: { P1: 'critical' } },
    source: { template: 'Prometheus' },
    dedupKey: { template: '{{item.fingerprint}}' },
    status: { expression: 'item.status', values: { gone: 'resolved' } },
  },
  repeatWindowSeconds: 300,
  custom: { link: { template: '{{item.url}}' } },
};

const after = (draft: Draft, ...actions: DraftAction[]): Draft => actions.reduce(reduceDraft, draft);

test('a mapping survives the conversion to a draft and back', () => {
  expect(toMapping(toDraft(MAPPING))).toEqual(MAPPING);
});

test('empty parts are not saved', () => {
  const draft = after(
    toDraft(MAPPING),
    { type: 'change', target: 'fields.severity', change: { template: ' ', default: '', values: {} } },
    { type: 'removeCustom', name: 'link' },
  );
  const { severity, ...others } = MAPPING.fields;
  expect(toMapping(draft)).toEqual({
    split: 'webhook.alerts',
    expandJson: ['Message'],
    fields: others,
    repeatWindowSeconds: 300,
  });
});

test.each([
  ['alerts', 'webhook.alerts'],
  ['webhook.alerts', 'webhook.alerts'],
  ['webhook', 'webhook'],
  ['["a.b"]', 'webhook["a.b"]'],
  ['webhooks', 'webhook.webhooks'],
])('the path of the list to split may omit its root: %s', (split, whole) => {
  expect(toDraft({ split, fields: {} }).split).toBe(whole);
});

test('a field fills an empty template and is appended to others', () => {
  const draft = after(
    toDraft({ fields: { title: { template: 'CPU of ' } } }),
    { type: 'insert', target: 'fields.title', text: '{{webhook.host}}' },
    { type: 'insert', target: 'fields.team', text: '{{webhook.tags["a b"]}}' },
  );
  expect(draft.fields.title.template).toBe('CPU of {{webhook.host}}');
  expect(draft.fields.team.template).toBe('{{webhook.tags["a b"]}}');
});

test('a path is replaced in the tags that have exactly this path, including sections', () => {
  const template = '{{#webhook.a}}{{ webhook.a }}{{webhook.ab}} webhook.a {{/webhook.a}}';
  const draft = after(toDraft({ fields: { title: { template } } }), {
    type: 'replacePath',
    target: 'fields.title',
    path: 'webhook.a',
    by: 'webhook.b',
  });
  expect(draft.fields.title.template).toBe(
    '{{#webhook.b}}{{ webhook.b }}{{webhook.ab}} webhook.a {{/webhook.b}}',
  );
});

test('a text is expanded once', () => {
  const expand = { type: 'expandJson', path: 'Message' } as const;
  expect(after(toDraft({ expandJson: ['a'], fields: {} }), expand, expand).expandJson).toEqual([
    'a',
    'Message',
  ]);
});

test('splitting rewrites the tags, and removing the split restores them', () => {
  const drawn = toDraft({
    fields: {
      title: { template: '{{webhook.alerts[0].name}} of {{webhook.alerts[1].name}}' },
      team: { template: '{{webhook.team}}' },
    },
    custom: { all: { template: '{{webhook.alerts[0]}} {{webhook.alerts}}' } },
    lookups: {
      service: { table: 'services', key: ['{{webhook.alerts[0].service}}', { expression: 'webhook.env' }] },
    },
  });
  const split = after(drawn, { type: 'split', path: 'webhook.alerts' });
  expect(split.fields.title.template).toBe('{{item.name}} of {{webhook.alerts[1].name}}');
  expect(split.fields.team.template).toBe('{{webhook.team}}');
  expect(split.custom[0]?.field.template).toBe('{{item}} {{webhook.alerts}}');
  expect(split.lookups[0]?.lookup.key).toEqual(['{{item.service}}', { expression: 'webhook.env' }]);
  expect(after(split, { type: 'split', path: null })).toEqual(drawn);
  const other = after(split, { type: 'split', path: 'webhook.items' });
  expect(other.fields.title.template).toBe('{{webhook.alerts[0].name}} of {{webhook.alerts[1].name}}');
});

test('a split that takes a payload without the list as one item is removed like its list', () => {
  const mapping = { split: 'messages|webhook', fields: { title: { template: '{{item.name}}' } } };
  const drawn = after(toDraft(mapping), { type: 'split', path: null });
  expect(drawn.fields.title.template).toBe('{{webhook.messages[0].name}}');
});

test('a custom field is created from a payload field, with a valid name', () => {
  const draft = after(
    toDraft({ fields: {} }),
    { type: 'addCustom', suggestedName: 'host name', path: 'webhook["host name"]' },
    { type: 'addCustom', suggestedName: 'host_name' },
    { type: 'addCustom', suggestedName: '__proto__', path: 'webhook["__proto__"]' },
    { type: 'addCustom', suggestedName: '<img src=x>' },
    { type: 'addCustom', suggestedName: '{{#x}}' },
    { type: 'addCustom', suggestedName: '42' },
  );
  expect(draft.custom.map(({ name }) => name)).toEqual([
    'host_name',
    'host_name_2',
    'proto',
    'img_src_x',
    'x',
    'field',
  ]);
  expect(draft.custom[0]?.field.template).toBe('{{webhook["host name"]}}');
});

test('a custom field can only be renamed to an unused and valid name', () => {
  const two = after(
    toDraft({ fields: {} }),
    { type: 'addCustom', suggestedName: 'a' },
    { type: 'addCustom', suggestedName: 'b' },
  );
  const names = (to: string) =>
    after(two, { type: 'renameCustom', from: 'a', to }).custom.map(({ name }) => name);
  expect(names('zone')).toEqual(['zone', 'b']);
  expect(names('b')).toEqual(['a', 'b']);
  expect(names('1st')).toEqual(['a', 'b']);
});

test('the number of custom fields is limited', () => {
  const actions = Array.from({ length: 60 }, (): DraftAction => ({ type: 'addCustom', suggestedName: 'x' }));
  expect(after(toDraft({ fields: {} }), ...actions).custom).toHaveLength(50);
});

test('a required field is unmapped while it has neither a template nor a default', () => {
  expect(unmappedRequired(toDraft({ fields: {} }))).toEqual(['severity', 'description', 'source']);
  const fields = { severity: { default: 'info' }, source: { template: 'Prometheus' } };
  expect(unmappedRequired(toDraft({ fields }))).toEqual(['description']);
});

test('a field with an expression takes paths, and gets its template back', () => {
  const target = 'fields.severity';
  const start = toDraft({ fields: { severity: { template: '{{webhook.level}}' } } });
  const computed = [
    { type: 'change', target, change: { expression: '' } },
    { type: 'insert', target, text: 'webhook.a' },
    { type: 'insert', target, text: 'webhook["b c"]' },
  ].reduce((draft, action) => reduceDraft(draft, action as DraftAction), start);
  expect(toMapping(computed).fields).toEqual({ severity: { expression: 'webhook.a webhook["b c"]' } });
  const back = reduceDraft(computed, { type: 'change', target, change: { expression: undefined } });
  expect(toMapping(back).fields).toEqual({ severity: { template: '{{webhook.level}}' } });
});
