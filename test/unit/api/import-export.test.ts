import { expect, test } from '@jest/globals';
import { type Exported, readExport } from '../../../api/routes/webhooks/import/exported.js';
import { isSender, templateOf } from '../../../api/routes/webhooks/import/template-of.js';

const KEY = '5f0c2a0e-9d1b-4c57-8f43-0b6a7e21d9c4';
const LINK = 'https://oncall.example.com/integrations/v1/formatted_webhook/k3J9xQ2pLm8vR5tZ7wYbN1c/';
const datadog = { id: 'd', name: 'Datadog production', enabled: true, type: 'Datadog', teamId: '' };
const formatted = {
  ...{ id: 'C1', name: 'Backups', description_short: null, team_id: null, link: LINK, inbound_email: null },
  ...{ type: 'formatted_webhook', default_route: { id: 'R1', slack: { channel_id: 'C' } } },
  ...{ heartbeat: { link: `${LINK}heartbeat/` }, templates: { slack: { title: null } } },
};
const page = { count: 1, next: null, previous: null, results: [formatted], current_page_number: 1 };
const resource = (type: string, attributes: object) => ({
  ...{ mode: 'managed', type, name: 'some', provider: 'provider["registry.example.com/x"]' },
  instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
});
const apiKeyed = { id: 'd', name: 'Datadog production', type: 'Datadog', enabled: true, api_key: KEY };

const OPSGENIE = [
  ['a list of the API', { code: 200, data: [datadog], took: 0, requestId: 'r' }, null],
  [
    'one of the API',
    { data: { ...datadog, _readOnly: ['id'], ownerTeam: { id: 't', name: 'Ops' }, apiKey: KEY }, took: 0 },
    { text: KEY, field: 'apiKey' },
  ],
  [
    'a list and what the API returns of each',
    [{ data: [datadog] }, { data: { ...datadog, apiKey: KEY } }],
    { text: KEY, field: 'apiKey' },
  ],
  [
    'files of the configuration backup',
    [{ integration: datadog, integrationActions: { create: [{ type: 'create', name: 'Create' }] } }],
    null,
  ],
  [
    'a Terraform state',
    {
      ...{ version: 4, terraform_version: '1.9.0', outputs: {} },
      resources: [
        resource('opsgenie_team', { id: 't', type: 'x' }),
        resource('opsgenie_api_integration', apiKeyed),
      ],
    },
    { text: KEY, field: 'api_key' },
  ],
  [
    'the output of terraform show',
    {
      format_version: '1.0',
      values: {
        root_module: {
          resources: [{ mode: 'managed', type: 'opsgenie_team', name: 't', values: { id: 't', name: 'T' } }],
          child_modules: [
            {
              resources: [{ mode: 'managed', type: 'opsgenie_api_integration', name: 'd', values: apiKeyed }],
            },
          ],
        },
      },
    },
    { text: KEY, field: 'api_key' },
  ],
] as const;

test.each(OPSGENIE)('reads %s of Opsgenie', (_what, document, token) => {
  expect(readExport(document)).toEqual([
    {
      row: 1,
      product: 'opsgenie',
      id: 'd',
      name: 'Datadog production',
      type: 'Datadog',
      isEnabled: true,
      token,
    },
  ]);
});

test.each([
  ['a page of the API', page],
  ['pages of the API', [page, page]],
  ['one of the API', formatted],
  ['a Terraform state', { resources: [resource('grafana_oncall_integration', formatted)] }],
])('reads %s of Grafana OnCall', (_what, document) => {
  const token = { text: 'k3J9xQ2pLm8vR5tZ7wYbN1c', field: 'link' };
  const read = { product: 'grafana-oncall', id: 'C1', name: 'Backups', type: 'formatted_webhook' };
  expect(readExport(document)).toEqual([{ row: 1, ...read, isEnabled: true, token }]);
});

test('finds nothing in other documents', () => {
  let deep: unknown = datadog;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  for (const document of [null, 1, 'text', {}, [], { data: [] }, deep])
    expect(readExport(document)).toEqual([]);
});

test.each([
  ['opsgenie', 'API', 'opsgenie-api'],
  ['opsgenie', 'Prometheus', 'opsgenie-api'],
  ['opsgenie', 'Datadog', 'datadog'],
  ['opsgenie', 'NewRelicV2', 'newrelic'],
  ['opsgenie', 'UptimeRobot', 'uptimerobot'],
  ['opsgenie', 'AmazonSns', 'cloudwatch-sns'],
  ['opsgenie', 'SignalSciences', null],
  ['opsgenie', 'constructor', null],
  ['grafana-oncall', 'alertmanager', 'alertmanager'],
  ['grafana-oncall', 'legacy_alertmanager', 'alertmanager'],
  ['grafana-oncall', 'grafana_alerting', 'grafana'],
  ['grafana-oncall', 'amazon_sns', 'cloudwatch-sns'],
  ['grafana-oncall', 'webhook', null],
] as const)('%s: the type %s has the template %s', (product, type, template) => {
  expect(templateOf(exported({ product, type }))).toBe(template);
});

test.each([
  ['opsgenie', 'Email', false],
  ['opsgenie', 'Webhook', false],
  ['opsgenie', 'JiraServiceDesk', false],
  ['opsgenie', 'Slack', false],
  ['opsgenie', 'Datadog', true],
  ['grafana-oncall', 'inbound_email', false],
  ['grafana-oncall', 'webhook', true],
] as const)('%s: whether something sends to the type %s: %s', (product, type, expected) => {
  expect(isSender(exported({ product, type }))).toBe(expected);
});

const exported = (some: Partial<Exported>): Exported => ({
  ...{ row: 1, product: 'opsgenie', id: 'd', name: 'n', type: 'API', isEnabled: true, token: null, ...some },
});
