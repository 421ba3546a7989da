import { expect, test } from '@jest/globals';
import { explainResult } from '../../../api/console/alerts/detail/explain-result.js';
import type { AlertDetail } from '../../../api/console/http/types.js';
import { type Mapping, normalize } from '../../../workers/mapping/index.js';
import { compiled } from '../mapping/mapping.js';

const PAYLOAD = { alert: { severity: 'sev9', name: 'Disk' } };

/** What is said of the title, when it is mapped so. */
function saidOf(title: Mapping['fields']['title']): string[] {
  const made = normalize(compiled({ fields: { title } }), JSON.stringify(PAYLOAD));
  const { fields } = made.alerts[0] as unknown as NonNullable<AlertDetail['results']>;
  return explainResult(fields.title as (typeof fields)[string]);
}

test.each([
  ['a value', { template: '{{webhook.alert.name}}' }, ['From webhook.alert.name']],
  ['fixed text', { template: 'Webhook' }, ['Fixed text']],
  [
    'a path that leads nowhere',
    { template: '{{webhook.alert.severty}}' },
    ['webhook.alert.severty is missing; nearest: webhook.alert.severity'],
  ],
  [
    'a default in its place',
    { template: '{{webhook.alert.severty}}', default: 'none' },
    ['webhook.alert.severty is missing; nearest: webhook.alert.severity'],
  ],
  ['a default alone', { default: 'none' }, ['There is only a default']],
  [
    'a value that the map does not know',
    { template: '{{webhook.alert.severity}}', values: { p1: 'critical' } },
    ['sev9: the value map has no entry for it', 'From webhook.alert.severity'],
  ],
  ['no template', undefined, ['The mapping has no template for it']],
  [
    'a template that leaves nothing',
    { template: '{{#webhook.alert}} {{/webhook.alert}}' },
    ['The template found nothing'],
  ],
])('says why: %s', (_, title, said) => {
  expect(saidOf(title)).toEqual(said);
});
