import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOf } from '../../support/muster/folder.js';

/** Runs a program in a folder, without what this process has got from npm and Jest. */
function run(
  folder: string,
  program: string,
  ...args: string[]
): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env.PATH, HOME: folder };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

test('the package of the command runs where nothing else is installed', () => {
  const folder = folderOf({
    'package.json': '{"private": true}',
    'files/integrations/a.yaml': 'name: A\ntemplate: alertmanager\n',
    'files/integrations/a.samples.yaml': '- name: one\n  payload: {alerts: []}\n  alerts: []\n',
    'files/integrations/b.yaml': 'name: B\nmapping: {filter: "webhook.a ==", fields: {}}\n',
  });
  const packed = run(folder, 'npm', 'pack', join(process.cwd(), 'dist/cli'));
  expect(packed).toMatchObject({ code: 0 });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`)).toMatchObject(
    { code: 0 },
  );
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'muster',
  ]);

  const muster = (...args: string[]) => run(folder, join(folder, 'node_modules/.bin/muster'), ...args);
  const { code, out, err } = muster('check', 'files');
  expect(err).toBe('');
  expect(out).toMatch(/^files\/integrations\/b.yaml:2:32: error: filter: /);
  expect(out).toContain('2 integrations, 1 sample: 1 error, 0 warnings');
  expect(code).toBe(1);
  expect(muster('schema').out).toContain('"$schema": "https://json-schema.org/draft/2020-12/schema"');
  expect(muster('upload', '--help').out).toMatch(/^Usage: muster upload FILE [\s\S]*--expected-rows/);
  expect(muster('plan').err).toContain('For help, run: muster plan --help\n');
  expect(muster('upload', 'none.csv', '--url', 'http://127.0.0.1:9', '--key', 'x')).toMatchObject({
    code: 1,
  });
  expect(muster('keys', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('needs a checkout') });
});
