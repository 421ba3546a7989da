import { expect, test } from '@jest/globals';
import { explainResult } from '../../../api/console/alerts/detail/explain-result.js';
import type { AlertDetail } from '../../../api/console/http/types.js';
import { type Mapping, normalize } from '../../../workers/mapping/index.js';
import { compiled } from '../mapping/mapping.js';

const PAYLOAD = { alert: { severity: 'sev9', name: 'Disk' } };

/** Returns the explanation of the title's result with this mapping. */
function explainTitle(title: Mapping['fields']['title']): string[] {
  const made = normalize(compiled({ fields: { title } }), JSON.stringify(PAYLOAD));
  const { fields } = made.alerts[0] as unknown as NonNullable<AlertDetail['results']>;
  return explainResult(fields.title as (typeof fields)[string]);
}

test.each([
  ['a value', { template: '{{webhook.alert.name}}' }, ['From webhook.alert.name']],
  ['fixed text', { template: 'Webhook' }, ['Fixed text']],
  [
    'a missing path',
    { template: '{{webhook.alert.severty}}' },
    ['webhook.alert.severty is missing; nearest: webhook.alert.severity'],
  ],
  [
    'a missing path with a default',
    { template: '{{webhook.alert.severty}}', default: 'none' },
    ['webhook.alert.severty is missing; nearest: webhook.alert.severity'],
  ],
  ['a default without a template', { default: 'none' }, ['The mapping has only a default for this field']],
  [
    'a value that is not in the value map',
    { template: '{{webhook.alert.severity}}', values: { p1: 'critical' } },
    ['sev9: the value map has no entry for it', 'From webhook.alert.severity'],
  ],
  ['no template', undefined, ['The mapping has no template or expression for this field']],
  [
    'a template with an empty result',
    { template: '{{#webhook.alert}} {{/webhook.alert}}' },
    ['The template or expression produced no value'],
  ],
  [
    'an expression with an empty result',
    { expression: 'webhook.alert.name.replace("Disk", "")' },
    ['The template or expression produced no value'],
  ],
  [
    'an expression that fails, with a default',
    { expression: 'webhook.alert.name.size() / 0', default: 'none' },
    ['The template or expression produced no value', expect.stringContaining('divi')],
  ],
])('explainResult explains %s', (_, title, explanation) => {
  expect(explainTitle(title)).toEqual(explanation);
});
