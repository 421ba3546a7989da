import { expect, test } from '@jest/globals';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import { mappingSchema } from '../../../workers/mapping/mapping.js';
import { compileMapping, normalize } from '../../../workers/mapping/normalize.js';
import { TemplateFault } from '../../../workers/mapping/template.js';

const compile = (mapping: object) => compileMapping(mappingSchema.parse(mapping));
const REQUIRED = {
  severity: { template: '{{webhook.sev}}', default: 'error' },
  description: { template: '{{webhook.text}}' },
  source: { template: 'test' },
};

test.each(catalogue.map((source) => [source.name, source] as const))('%s makes what it says', (_, source) => {
  const { alerts, faults } = normalize(source.sample, compileMapping(source.mapping));
  expect(faults).toEqual([]);
  expect(alerts.map(({ state }) => state)).toEqual(source.expected.map(() => 'complete'));
  for (const [i, expected] of source.expected.entries()) {
    const filled = Object.entries(alerts[i]?.fields ?? {}).filter(([, { value }]) => value !== null);
    expect(Object.fromEntries(filled.map(([name, { value }]) => [name, value]))).toEqual(expected);
  }
});

test('zero and false are something; null, absent and blank are nothing', () => {
  const mapping = compile({
    fields: { ...REQUIRED, title: { template: '{{webhook.value}}', default: 'none' } },
  });
  const title = (value: unknown) => normalize({ text: 't', value }, mapping).alerts[0]?.fields.title.value;
  expect([0, false, null, undefined, ' '].map(title)).toEqual(['0', 'false', 'none', 'none', 'none']);
  expect([{ a: [1] }, ['x']].map(title)).toEqual(['{"a":[1]}', '["x"]']);
});

test('paths take indexes and quoted names, and no prototype', () => {
  const template = '{{webhook.tags[1]}} {{webhook.tags.0}} {{webhook.labels["a.b"]}}';
  const fields = { ...REQUIRED, title: { template }, team: { template: '{{webhook.constructor.name}}' } };
  const [alert] = normalize(
    { text: 't', tags: ['x', 'y'], labels: { 'a.b': 'z' } },
    compile({ fields }),
  ).alerts;
  expect(alert?.fields.title.value).toBe('y x z');
  expect(alert?.fields.team).toMatchObject({ value: null, result: 'missing' });
});

test('markup goes through as it is', () => {
  const [alert] = normalize({ text: '<b>&amp;"' }, compile({ fields: REQUIRED })).alerts;
  expect(alert?.fields.description.value).toBe('<b>&amp;"');
});

test('a value map is in any case, and lets what it does not know through with a warning', () => {
  const severity = { template: '{{webhook.sev}}', values: { P1: 'critical' } };
  const mapping = compile({ fields: { ...REQUIRED, severity } });
  const result = (sev: string) => normalize({ text: 't', sev }, mapping).alerts[0]?.fields.severity;
  expect(result('p1')).toMatchObject({ value: 'critical', warnings: [] });
  expect(result('P9')).toMatchObject({ value: 'P9', warnings: [{ code: 'unmapped_value' }] });
});

test('a split makes an alert of each item, and one bad item harms no other', () => {
  const fields = { ...REQUIRED, description: { template: '{{item.text}}' } };
  const mapping = compile({ split: 'items', fields });
  const { alerts } = normalize({ items: [{ text: 'a' }, {}, { text: 'c' }] }, mapping);
  expect(alerts.map(({ state }) => state)).toEqual(['complete', 'incomplete', 'complete']);
  expect(normalize({ items: [] }, mapping)).toEqual({ alerts: [], faults: [] });
  expect(normalize({}, mapping).alerts[0]?.faults[0]?.code).toBe('split_not_found');
  const tooMany = normalize({ items: Array.from({ length: 1_001 }, () => ({ text: 'a' })) }, mapping);
  expect([tooMany.alerts, tooMany.faults[0]?.code]).toEqual([[], 'too_many_items']);
});

test('text that is too long is cut and marked, between characters', () => {
  const [alert] = normalize(
    { text: '\u{1F525}'.repeat(9_000), sev: 's'.repeat(300) },
    compile({ fields: REQUIRED }),
  ).alerts;
  expect(alert?.fields.severity.value).toBe(`${'s'.repeat(254)}…`);
  expect(alert?.fields.severity.warnings[0]?.code).toBe('cut');
  expect(alert?.fields.description.value).toMatch(/^\u{1F525}+…$/u);
});

test.each(['{{#a}}x{{/a}}', '{{> partial}}', '{{=<% %>=}}', '{{open'])('%s is refused', (template) => {
  expect(() => compile({ fields: { title: { template } } })).toThrow(TemplateFault);
});
