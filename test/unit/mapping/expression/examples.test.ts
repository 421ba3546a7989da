import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { normalize } from '../../../../workers/mapping/index.js';
import { compiled, only } from '../mapping.js';

const page = readFileSync('docs/mapping.md', 'utf8');
const section = page.slice(
  page.indexOf('## How do expressions work?'),
  page.indexOf('## How do I filter events?'),
);
const payload = section
  .slice(section.indexOf('With the payload'))
  .match(/```json\n([\s\S]+?)```/)?.[1] as string;

/** The rows of the table: expression and result. */
const examples = [...section.matchAll(/^\| [^|]+ \| `(.+)` \| (.+) \|$/gm)].map(
  ([, expression = '', result = '']) => [expression.replaceAll('\\|', '|'), result],
);

test('the page has examples', () => expect(examples.length).toBeGreaterThan(15));

test.each(examples)('%s is %s, as docs/mapping.md says', (expression, result) => {
  const mapping = compiled({ fields: { description: { expression } } });
  expect(only(normalize(mapping, payload)).fields.description).toMatchObject({
    value: result,
    result: 'resolved',
    warnings: [],
  });
});
