import { expect, test } from '@jest/globals';
import type { Mapping } from '../../../../api/console/http/types.ts';
import { fieldAt, toDraft } from '../../../../api/console/mapping/model/draft/draft.ts';
import { toResultLine } from '../../../../api/console/mapping/model/result-line.ts';
import { compileMapping, fieldTree, normalizeValue } from '../../../../workers/mapping/index.js';

const PAYLOAD = {
  alert: { severity: 'P2', name: 'High CPU' },
  level: 'SEV3',
  Message: '{"Alarm":{"Name":"x"}}',
};

/** What is said of the severity that a mapping makes of the payload. */
function said(severity: Mapping['fields']['severity'], required = true) {
  const compiled = compileMapping({ fields: { severity } });
  if (!('mapping' in compiled)) throw new Error('bad test');
  const result = normalizeValue(compiled.mapping, PAYLOAD).alerts[0]?.fields.severity;
  if (!result) throw new Error('no result');
  const { nodes } = fieldTree(PAYLOAD);
  const { tone, value, reason, remedy } = toResultLine(
    structuredClone({
      ...result,
      paths: [...result.paths],
      missing: result.missing.map((one) => ({ ...one })),
      absent: [...(result.absent ?? [])],
      warnings: [...result.warnings],
    }),
    {
      field: fieldAt(toDraft({ fields: { severity } }), 'fields.severity'),
      required,
      sampleOf: (path) => nodes.find((node) => node.path === path)?.sample,
    },
  );
  return { tone, value, reason: reason.join(''), remedy };
}

test('resolved, and which value of the map it was', () => {
  expect(said({ template: '{{webhook.alert.name}}' })).toEqual({
    tone: 'good',
    value: 'High CPU',
    reason: '',
    remedy: null,
  });
  const values = { p1: 'critical', p2: 'error' };
  expect(said({ template: '{{webhook.alert.severity}}', values })).toEqual({
    tone: 'good',
    value: 'error',
    reason: 'P2 in the value map',
    remedy: null,
  });
  const firstOf = '{{webhook.none|webhook.alert.severity}}';
  expect(said({ template: firstOf, values }).reason).toBe('P2 in the value map');
});

test('a value that the map does not know can be mapped', () => {
  expect(said({ template: '{{webhook.level}}', values: { P1: 'critical' } })).toEqual({
    tone: 'warn',
    value: 'SEV3',
    reason: 'SEV3 is not in the value map',
    remedy: { kind: 'map', value: 'SEV3' },
  });
});

test('missing, with the nearest path to be used', () => {
  expect(said({ template: '{{webhook.alert.sev}}' })).toMatchObject({
    tone: 'bad',
    reason: 'webhook.alert.sev is missing',
  });
  expect(said({ template: '{{webhook.alert.sevrity}}' })).toEqual({
    tone: 'bad',
    value: null,
    reason: 'webhook.alert.sevrity is missing; nearest: webhook.alert.severity',
    remedy: { kind: 'use', path: 'webhook.alert.sevrity', nearest: 'webhook.alert.severity' },
  });
  expect(said({ template: 'a {{webhook.x}} {{webhook.lvel}}' })).toMatchObject({
    value: 'a',
    reason: 'webhook.lvel is missing (and 1 more); nearest: webhook.level',
  });
});

test('a default says why it was needed', () => {
  expect(said({ template: '{{webhook.alert.sevrity}}', default: 'info' })).toEqual({
    tone: 'warn',
    value: 'info',
    reason: 'default: webhook.alert.sevrity is missing; nearest: webhook.alert.severity',
    remedy: { kind: 'use', path: 'webhook.alert.sevrity', nearest: 'webhook.alert.severity' },
  });
  expect(said({ default: 'info' })).toMatchObject({ tone: 'warn', reason: 'default' });
});

test('what nobody has drawn is a fault only where it is required', () => {
  expect(said({}, true)).toMatchObject({ tone: 'bad', reason: 'required, and not drawn yet' });
  expect(said({}, false)).toMatchObject({ tone: 'plain', reason: 'not drawn' });
});

test('a path into JSON that is not expanded says which text to expand', () => {
  expect(said({ template: '{{webhook.Message.alarm.Name}}' })).toMatchObject({
    tone: 'bad',
    reason: 'webhook.Message.alarm.Name is missing; JSON that is not expanded: Message',
    remedy: {
      kind: 'use',
      path: 'webhook.Message.alarm.Name',
      nearest: 'webhook.Message.Alarm.Name',
      expandJson: 'Message',
    },
  });
});
