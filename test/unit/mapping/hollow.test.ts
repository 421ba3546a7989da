import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import { run, title } from './mapping.js';

const payload = { data: { id: 7 }, hosts: [{ name: 'web-1' }, {}], ok: true, text: '', symbol: '🔥' };

describe('literal text in a section whose tags find nothing is dropped', () => {
  test.each([
    ['an inverted section', '{{^webhook.text}}{{webhook.rule}}: {{webhook.state}}{{/webhook.text}}'],
    ['a section over an object', '{{#webhook.data}}{{name}} is {{state}}{{/webhook.data}}'],
    ['a section over a flag', '{{#webhook.ok}}Recovered: {{webhook.name}}{{/webhook.ok}}'],
    [
      'nested sections',
      '{{^webhook.text}}{{^webhook.b}}Rule {{webhook.rule}}{{/webhook.b}}{{/webhook.text}}',
    ],
    ['separators between sections', '{{#webhook.a}}{{.}}{{/webhook.a}}: {{#webhook.b}}{{.}}{{/webhook.b}}'],
    ['separators in a section', '{{#webhook.ok}} | {{/webhook.ok}}{{#webhook.b}}{{.}}{{/webhook.b}}'],
  ])('%s', (_, template) => {
    const result = title(template, payload);
    expect(result).toMatchObject({ value: null, result: 'missing' });
    expect(result.missing).not.toEqual([]);
    expect(title(template, payload, { default: 'none' })).toMatchObject({
      value: 'none',
      result: 'defaulted',
    });
  });
});

describe('literal text is kept', () => {
  test.each([
    ['one tag of the section finds a value', '{{#webhook.data}}{{name}} #{{id}}{{/webhook.data}}', '#7'],
    ['the section has no tags', '{{#webhook.ok}}recovered{{/webhook.ok}}', 'recovered'],
    ['the section is an emoji', '{{#webhook.ok}}🔥{{/webhook.ok}}', '🔥'],
    [
      'the inverted section has no tags',
      '{{^webhook.a}}{{webhook.b}}{{^webhook.b}}no text{{/webhook.b}}{{/webhook.a}}',
      'no text',
    ],
    [
      'an inner section is false',
      '{{#webhook.ok}}Alert{{#webhook.a}} (a){{/webhook.a}}{{/webhook.ok}}',
      'Alert',
    ],
    [
      'an inner section is dropped',
      '{{#webhook.ok}}Alert{{#webhook.data}} on {{host}}{{/webhook.data}}{{/webhook.ok}}',
      'Alert',
    ],
    ['it is outside sections', 'Alert{{#webhook.a}} on {{.}}{{/webhook.a}}', 'Alert'],
    [
      'elements without a value are dropped',
      '{{#webhook.hosts}}host {{name}}, {{/webhook.hosts}}',
      'host web-1,',
    ],
  ])('where %s', (_, template, value) => {
    expect(title(template, payload)).toMatchObject({ value, result: 'resolved', missing: [] });
  });
});

const EMPTY = [{}, [{}], { alerts: [{}], data: {}, items: [{}], event: {}, incident: {} }];

test.each(catalogue.map(({ name, mapping }) => [name, mapping] as const))(
  '%s: an empty payload makes no complete alert',
  (_, mapping) => {
    for (const empty of EMPTY) {
      for (const { state, faults } of run(mapping, empty).alerts) {
        expect({ state, first: faults[0]?.code }).toEqual({
          state: 'incomplete',
          first: expect.stringMatching(/^(missing|split_not_array)$/),
        });
      }
    }
  },
);
