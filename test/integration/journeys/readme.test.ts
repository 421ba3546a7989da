import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isKeyText } from '../../../db/access/api-keys.js';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import { npmStart, type Started, untilRunning } from '../../support/servers/muster.js';

const readme = readFileSync('README.md', 'utf8');

/** Untracked folders that `npm start` and the tour may write to. `.gitignore` lists them. */
const ignored = ['.git', 'node_modules', 'dist', '.data', '.bootstrap'];

let clone: string;
let run: Started;

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'muster-readme-'));
  const skipped = ignored.filter((name) => name !== 'dist').map((name) => resolve(name));
  cpSync('.', clone, { recursive: true, filter: (source) => !skipped.includes(resolve(source)) });
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  run = npmStart({ PORT: '0', DATA_DIR: '' }, clone);
  await untilRunning(run);
});

afterAll(async () => {
  run.child.kill('SIGTERM');
  await run.ended;
  rmSync(clone, { recursive: true });
});

/** Returns all commands of a section in one text, as if pasted together. */
function commandsOf(heading: string): string {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return [...body.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('');
}

/** Returns all files, without the ignored folders. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (folder === clone && ignored.includes(entry.name)) return [];
    return entry.isDirectory() ? filesIn(path) : [relative(clone, path)];
  });
}

test('the tour of the README works as one block in a fresh clone, on another port, and leaves no files', async () => {
  const before = filesIn(clone);
  const { npm_lifecycle_event, NODE_OPTIONS, DATA_DIR, ...env } = process.env;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', commandsOf('Five minutes')], {
    cwd: clone,
    env,
    timeout: 100_000,
  });
  expect(stdout).toContain('"field":"integrationId"');
  expect(stderr).toMatch(/Accepted as job/);
  expect(stdout).toMatch(/^ +created +2$/m);
  expect(stdout).toContain('"identity":"ada-l"');
  expect(stdout).toContain('7,aturing,alan@example.com,,removed,0');
  expect(stdout).toContain('"counts":{"total":1,"restored":1,"skipped":0}');
  expect(stdout).toContain('"outcome":"removed","before":"alan@example.com"');
  expect(stdout).toContain('"title":"High CPU"');
  expect(stdout).toMatch(/"status":"resolved".*"eventCount":3/);
  expect(stdout).toMatch(/"delivered":true.*Test from Muster/);
  expect(stdout).toMatch(/"webhook-signature":"v1,.*"type":"alert.fired".*"title":"High CPU"/);
  expect(stdout).toMatch(/"change":"fired".*"state":"delivered"/);
  const [, key = ''] = /"key":"([^"]+)"/.exec(stdout) ?? [];
  expect(isKeyText(key)).toBe(true);
  expect(filesIn(clone)).toEqual(before);
});

test('the README states the number of templates', () => {
  expect(readme).toContain(`one of ${catalogue.length} templates`);
});
