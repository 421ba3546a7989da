import { expect, test } from '@jest/globals';
import type { Mapping } from '../../../../api/console/http/types.ts';
import { EMPTY_FIELD, fieldAt, toDraft } from '../../../../api/console/mapping/model/draft/draft.ts';
import type { PreviewedField } from '../../../../api/console/mapping/model/previewed.ts';
import { toResultLine } from '../../../../api/console/mapping/model/result-line.ts';
import { compileMapping, fieldTree, normalizeValue } from '../../../../workers/mapping/index.js';

const PAYLOAD = {
  alert: { severity: 'P2', name: 'High CPU' },
  level: 'SEV3',
  Message: '{"Alarm":{"Name":"x"}}',
};

/** Returns the description of the severity that a mapping renders from the payload. */
function describeSeverity(severity: Mapping['fields']['severity'], required = true, isSeverity = false) {
  const compiled = compileMapping({ fields: { severity } });
  if (!('mapping' in compiled)) throw new Error('bad test');
  const result = normalizeValue(compiled.mapping, PAYLOAD).alerts[0]?.fields.severity;
  if (!result) throw new Error('no result');
  const { nodes } = fieldTree(PAYLOAD);
  const { tone, value, reason, remedy } = toResultLine(
    structuredClone({
      ...result,
      paths: [...result.paths],
      missing: JSON.parse(JSON.stringify(result.missing)),
      absent: [...(result.absent ?? [])],
      warnings: [...result.warnings],
    }),
    {
      field: fieldAt(toDraft({ fields: { severity } }), 'fields.severity'),
      required,
      isStatus: false,
      isSeverity,
      sampleOf: (path) => nodes.find((node) => node.path === path)?.sample,
    },
  );
  return { tone, value, reason: reason.join(''), remedy };
}

test('a resolved field names the payload value that the map replaced', () => {
  expect(describeSeverity({ template: 'Critical' })).toEqual({
    tone: 'good',
    value: 'critical',
    reason: '',
    remedy: null,
  });
  const values = { p1: 'critical', p2: 'error' };
  expect(describeSeverity({ template: '{{webhook.alert.severity}}', values })).toEqual({
    tone: 'good',
    value: 'error',
    reason: 'mapped from P2',
    remedy: null,
  });
  const firstOf = '{{webhook.none|webhook.alert.severity}}';
  expect(describeSeverity({ template: firstOf, values }).reason).toBe('mapped from P2');
});

test('a severity that Muster does not know can be mapped', () => {
  expect(describeSeverity({ template: '{{webhook.level}}' }, true, true)).toEqual({
    tone: 'warn',
    value: 'SEV3',
    reason: 'is not one of critical, error, warning, info',
    remedy: { kind: 'map', value: 'SEV3' },
  });
  expect(describeSeverity({ template: 'Critical' }, true, true).tone).toBe('good');
});

test('a value that is not in the map can be mapped', () => {
  expect(describeSeverity({ template: '{{webhook.level}}', values: { P1: 'critical' } })).toEqual({
    tone: 'warn',
    value: 'SEV3',
    reason: 'SEV3 is not in the value map',
    remedy: { kind: 'map', value: 'SEV3' },
  });
});

test('a missing path suggests the closest one', () => {
  expect(describeSeverity({ template: '{{webhook.alert.sev}}' })).toMatchObject({
    tone: 'bad',
    reason: 'webhook.alert.sev is missing. Did you mean webhook.alert.severity?',
  });
  expect(describeSeverity({ template: '{{webhook.alert.sevrity}}' })).toEqual({
    tone: 'bad',
    value: null,
    reason: 'webhook.alert.sevrity is missing. Did you mean webhook.alert.severity?',
    remedy: { kind: 'use', path: 'webhook.alert.sevrity', nearest: 'webhook.alert.severity' },
  });
  expect(describeSeverity({ template: 'a {{webhook.x}} {{webhook.lvel}}' })).toMatchObject({
    value: null,
    reason: 'webhook.lvel is missing (and 1 more). Did you mean webhook.level?',
  });
});

test('a default names the reason it was used', () => {
  expect(describeSeverity({ template: '{{webhook.alert.sevrity}}', default: 'info' })).toEqual({
    tone: 'warn',
    value: 'info',
    reason: 'default: webhook.alert.sevrity is missing. Did you mean webhook.alert.severity?',
    remedy: { kind: 'use', path: 'webhook.alert.sevrity', nearest: 'webhook.alert.severity' },
  });
  expect(describeSeverity({ default: 'info' })).toMatchObject({ tone: 'warn', reason: 'default' });
});

test('a field with an expression says why it has no value', () => {
  expect(describeSeverity({ expression: 'webhook.alert.sevrity' }).reason).toBe(
    'webhook.alert.sevrity is missing. Did you mean webhook.alert.severity?',
  );
  expect(describeSeverity({ expression: 'webhook.alert.name + 1' }).reason).toMatch(
    /^the expression failed at line 1, column \d+: \+ cannot be applied to string and int; it reads webhook\.alert\.name$/,
  );
  expect(describeSeverity({ expression: '""' }).reason).toBe('the expression renders nothing');
});

test('a field whose expression is empty has no expression, rather than no template', () => {
  const result = { result: 'missing' as const, value: null, paths: [], missing: [], warnings: [] };
  const field = { ...EMPTY_FIELD, expression: ' ' };
  const reasonOf = (required: boolean) =>
    toResultLine(result, { field, required, isStatus: false, isSeverity: false, sampleOf: () => undefined })
      .reason;
  expect(reasonOf(true)).toEqual(['required, but has no expression']);
  expect(reasonOf(false)).toEqual(['no expression']);
});

test('a field without a template is an error only if it is required', () => {
  expect(describeSeverity({}, true)).toMatchObject({ tone: 'bad', reason: 'required, but has no template' });
  expect(describeSeverity({}, false)).toMatchObject({ tone: 'plain', reason: 'no template' });
});

test('a path into unexpanded JSON names the text to expand', () => {
  expect(describeSeverity({ template: '{{webhook.Message.alarm.Name}}' })).toMatchObject({
    tone: 'bad',
    reason: 'webhook.Message.alarm.Name is missing. It may be inside the JSON text Message',
    remedy: {
      kind: 'use',
      path: 'webhook.Message.alarm.Name',
      nearest: 'webhook.Message.Alarm.Name',
      expandJson: 'Message',
    },
  });
});

test.each([
  ['OK', 'resolved', 'good', 'from OK'],
  ['resolved', 'resolved', 'good', ''],
  ['P5', 'resolved', 'good', 'from P5'],
  ['Wobbly', 'firing', 'warn', 'Wobbly is not a known status word, so it counts as firing'],
])('the status %s is %s, and the line says why', (word, value, tone, reason) => {
  const status = { template: '{{webhook.state}}', values: { P5: 'Recovered' } };
  const compiled = compileMapping({ fields: { status } });
  if (!('mapping' in compiled)) throw new Error('bad test');
  const result = normalizeValue(compiled.mapping, { state: word }).alerts[0]?.fields.status;
  const line = toResultLine(structuredClone(result) as PreviewedField, {
    field: fieldAt(toDraft({ fields: { status } }), 'fields.status'),
    required: false,
    isStatus: true,
    isSeverity: false,
    sampleOf: () => word,
  });
  expect({ ...line, reason: line.reason.join('') }).toEqual({
    value,
    tone,
    reason,
    remedy: tone === 'warn' ? { kind: 'map', value: word } : null,
  });
});
