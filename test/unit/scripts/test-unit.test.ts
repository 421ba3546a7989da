import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('npm run test:unit runs only the file that it is given', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const options = (scripts['test:unit'] as string).split('bin/jest ')[1]?.split(' ') ?? [];
  // A file after a list of projects would be one more project, and everything would run.
  const listed = execFileSync(
    'node_modules/.bin/jest',
    [...options, 'test/unit/docs.test.ts', '--listTests'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  expect(listed.match(/test\/\S+\.ts/g)).toEqual(['test/unit/docs.test.ts']);
});
