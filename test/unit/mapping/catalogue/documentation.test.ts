import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import type { FieldMapping } from '../../../../workers/mapping/definition/schema.js';

/** The rows of docs/templates.md that name a template: its key, with the occurrence, and its status. */
const rows = [
  ...readFileSync('docs/templates.md', 'utf8').matchAll(/^\| `([a-z0-9-]+)` \| (.*?) \| (.*?) \| .* \|$/gm),
].map(([, name, key, status]) => ({ name, key, status }));

const textOf = (field: FieldMapping | undefined) => field?.template ?? field?.expression ?? '';

/** The last names of the paths in a cell: `alert.id` is `id`. Values such as `ALERT_SSL` in brackets are none. */
const pathsIn = (cell = '') =>
  [...cell.replace(/\(`.*?`\)/g, '').matchAll(/`([^`]+)`/g)].map(([, path]) => path?.split('.').at(-1));

test('docs/templates.md lists every template with the paths of its key and its status', () => {
  expect(rows.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
  for (const { name, mapping } of catalogue) {
    const row = rows.find((row) => row.name === name);
    const { dedupKey, occurrence, status } = mapping.fields;
    for (const [fields, cell] of [
      [[dedupKey, occurrence], row?.key],
      [[status], row?.status],
    ] as const) {
      const paths = pathsIn(cell);
      expect({ name, known: paths.length > 0 }).toEqual({ name, known: fields[0] !== undefined });
      const texts = fields.map(textOf).join(' ');
      const unknown = paths.filter((path) => !texts.includes(path as string));
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
  }
});
