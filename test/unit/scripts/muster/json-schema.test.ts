import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import { muster } from '../../../support/muster/command.js';

test.each([
  [
    'destination',
    `{name: A, preset: webhook, url: "\${URL}", integrations: [Shop]}`,
    '{name: A, preset: webhook, url: "https://a.example"}',
  ],
  [
    'account-system',
    '{name: GitHub, integrationId: 7, kind: github}',
    '{name: GitHub, integrationId: seven}',
  ],
  ['table', '{name: a, key: [b, c], matching: cidr, file: x.csv}', '{name: a, matching: some}'],
  [
    'template',
    '{name: a, mapping: {fields: {title: {template: "{{webhook.t}}"}}}, sample: {t: 1}}',
    '{name: a, mapping: {field: {}}, sample: 1}',
  ],
])('the JSON Schema of a %s takes its file and not another one', async (kind, right, wrong) => {
  const { code, out } = await muster('schema', kind);
  expect(code).toBe(0);
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(JSON.parse(out));
  expect([validate(parse(right)), validate(parse(wrong))]).toEqual([true, false]);
});

test('another kind has no schema', async () => {
  const { code, err } = await muster('schema', 'samples');
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('Name one of account-system, integration, destination, table, template'),
  ]);
});

test('the JSON Schema describes an integration file, and takes a reference for a secret', async () => {
  const { code, out } = await muster('schema');
  expect(code).toBe(0);
  const schema = JSON.parse(out);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  const isValid = (yaml: string) => validate(parse(yaml));
  for (const { title, mapping } of catalogue)
    expect([title, validate({ name: title, mapping })]).toEqual([title, true]);
  expect(isValid(`{name: A, signature: {scheme: github, secret: "\${X}"}}`)).toBe(true);
  expect(isValid('{name: A, signature: {scheme: github, secret: hunter2-hunter2-hunter2}}')).toBe(false);
  expect(isValid('{name: A, foo: 1}')).toBe(false);
  expect(isValid('{name: A, mapping: {fields: {titel: {}}}}')).toBe(false);
  expect(schema.properties.mapping.properties.fields.properties.dedupKey.description).toMatch(
    /same key are one alert/,
  );
});
