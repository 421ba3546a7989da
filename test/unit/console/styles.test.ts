import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const CONSOLE = 'api/console';

test('no style depends on the orientation of the screen', () => {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => /orientation\s*:/.test(readFileSync(join(CONSOLE, file), 'utf8')))).toEqual(
    [],
  );
});
