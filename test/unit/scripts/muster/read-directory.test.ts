import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { readDirectory } from '../../../../scripts/muster/files/read-directory.js';
import { resolveSecret } from '../../../../scripts/muster/files/secret-reference.js';
import { folderOf } from '../../../support/muster/folder.js';

/** Returns the findings of a folder as `FILE:LINE:COLUMN MESSAGE`. */
const findingsOf = (files: Record<string, string | Buffer>): string[] =>
  readDirectory(folderOf(files)).findings.map(
    ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
  );

const ofOne = (text: string | Buffer): string[] =>
  findingsOf({ 'integrations/a.yaml': text }).map((finding) => finding.replace('integrations/a.yaml:', ''));

test('a file is the document of an integration, with the defaults of the folder', () => {
  const folder = folderOf({
    'muster.yaml': 'managedBy: git.example/alerts\nserver: https://muster.example.com\n',
    'integrations/a.yaml': 'name: A # the first\n',
    'integrations/deep/b.yaml': 'name: B\nmanagedBy: null\n',
    'integrations/README.md': 'not read',
    'integrations/.hidden.yaml': '{',
  });
  const { integrations, findings, settings } = readDirectory(folder);
  expect(findings).toEqual([]);
  expect(settings.server).toBe('https://muster.example.com');
  expect(integrations.map(({ path, content }) => [path, content?.name, content?.managedBy])).toEqual([
    ['integrations/a.yaml', 'A', 'git.example/alerts'],
    ['integrations/deep/b.yaml', 'B', null],
  ]);
  expect(integrations[0]?.content).toMatchObject({
    driftSeverity: 'warning',
    heartbeats: {},
    signature: null,
  });
});

test.each([
  [
    'an unknown member',
    'name: A\ndescripton: x\n',
    ['2:1 unknown member "descripton"; did you mean description?'],
  ],
  [
    'an unknown member of a mapping',
    'name: A\nmapping:\n  fields:\n    title: {tempalte: x}\n',
    ['4:13 unknown member "tempalte"; did you mean template?'],
  ],
  ['a missing member', 'description: x\n', ['1:1 name: is required and must be a string']],
  ['an empty file', '', ['1:1 must be an object']],
  [
    'a cron expression',
    'name: A\nheartbeats:\n  job:\n    schedule: {cron: "61 * * * *"}\n',
    [expect.stringMatching(/^4:22 .*minute: 61/)],
  ],
  [
    'a secret',
    'name: A\nsignature: {scheme: github, secret: hunter2-hunter2-hunter2}\n',
    [expect.stringMatching(/^2:37 signature.secret: must be a reference/)],
  ],
  [
    'a secret of a scheme without one',
    `name: A\nsignature: {scheme: aws-sns, secret: "\${X}", parameters: {topicArn: "arn:aws:sns:eu-west-1:123456789012:a"}}\n`,
    [expect.stringMatching(/^2:38 .*must not be given/)],
  ],
  ['a repeated name', 'name: A\nname: B\n', ['2:1 the name "name" is there twice']],
  ['__proto__', 'name: A\nheartbeats:\n  __proto__: {}\n', ['3:3 a name must not be __proto__']],
  ['a tab', 'name: A\n\tdescription: x\n', ['2:1 tabs are not allowed as indentation']],
  ['a tag', 'name: !!secret A\n', [expect.stringMatching(/^1:7 unresolved tag/)]],
  ['several documents', 'name: A\n---\nname: B\n', [expect.stringMatching(/^2:1 has several documents/)]],
  ['another version of YAML', '%YAML 1.1\n---\nname: yes\n', [expect.stringMatching(/must be YAML 1.2/)]],
  ['an alias that contains itself', 'name: &a [*a]\n', ['1:11 must not contain itself']],
  ['an alias without an anchor', 'name: *a\n', [expect.stringMatching(/^1:7 /)]],
  ['deep nesting', '['.repeat(100_000), [expect.stringMatching(/is nested too deeply$/)]],
  [
    'an infinite number',
    'name: A\nresolveAfterSeconds: .inf\n',
    [expect.stringMatching(/^2:22 .inf is not a number of JSON/)],
  ],
  [
    'a large number',
    'name: A\nresolveAfterSeconds: 1e400\n',
    [expect.stringMatching(/^2:22 1e400 is not a number of JSON/)],
  ],
  ['bytes that are not UTF-8', Buffer.from([0x6e, 0xff]), ['1:1 must be UTF-8']],
] as const)('%s is an error at its place', (_, text, expected) => {
  expect(ofOne(text)).toEqual(expected);
});

test('aliases are allowed, as long as they do not blow up', () => {
  expect(ofOne('name: A\nheartbeats:\n  a: &a {schedule: {periodSeconds: 60}}\n  b: *a\n')).toEqual([]);
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 9; n++) lines.push(`a${n}: &a${n} [${Array(8).fill(`*a${n - 1}`)}]`);
  expect(ofOne(lines.join('\n'))).toEqual([
    expect.stringMatching(/^7:\d+ the file has more than 500,000 values/),
  ]);
});

test('a byte order mark and CRLF do not move the places', () => {
  expect(ofOne('\ufeffname: A\r\nfoo: 1\r\n')).toEqual([expect.stringMatching(/^2:1 unknown member "foo"/)]);
});

test('numbers of a payload keep their digits', () => {
  const folder = folderOf({
    'integrations/a.yaml': 'name: A',
    'integrations/a.samples.yaml':
      '- name: one\n  payload: {a: 12345678901234567890, b: 1e400, c: 1.10, d: 7, __proto__: 1}\n  alerts: []\n',
  });
  const { samples, findings } = readDirectory(folder);
  expect(findings).toEqual([]);
  const payload = samples[0]?.content?.[0]?.payload as Record<string, unknown>;
  expect(Object.keys(payload)).toContain('__proto__');
  expect([payload.a, payload.b, payload.c, payload.d]).toEqual([
    new LosslessNumber('12345678901234567890'),
    new LosslessNumber('1e400'),
    new LosslessNumber('1.10'),
    7,
  ]);
});

test('files are checked against each other', () => {
  expect(
    findingsOf({
      'integrations/a.yaml': 'name: Same',
      'integrations/b.yaml': 'name: Same',
      'integrations/c.samples.yaml': '[]',
      'integrations/d.yml': 'name: D',
    }),
  ).toEqual([
    expect.stringMatching(/^integrations\/d.yml:1:1 is not read/),
    'integrations/b.yaml:1:7 integrations/a.yaml has the name "Same" too',
    'integrations/c.samples.yaml:1:1 there is no integrations/c.yaml that these samples are for',
  ]);
  expect(findingsOf({ 'integration/a.yaml': 'name: A' })).toEqual([
    expect.stringMatching(/is it integration\?$/),
  ]);
});

test('nothing outside of the folder is read, and links that lead back are not followed', () => {
  const outside = folderOf({ 'x.yaml': 'name: Outside' });
  const folder = folderOf({ 'integrations/a.yaml': 'name: A', 'shared/b.yaml': 'name: B' });
  symlinkSync(join(outside, 'x.yaml'), join(folder, 'integrations/out.yaml'));
  symlinkSync('../shared/b.yaml', join(folder, 'integrations/in.yaml'));
  symlinkSync('..', join(folder, 'integrations/loop'));
  const { findings, integrations } = readDirectory(folder);
  expect(findings.map(({ file, message }) => [file, message])).toEqual([
    ['integrations/out.yaml', 'is outside of the folder'],
  ]);
  expect(integrations.map(({ content }) => content?.name)).toEqual(['A', 'B', undefined]);
});

test('a reference is resolved to a variable or a file', () => {
  const root = folderOf({ 'secrets/x': 'of-a-file\n' });
  const env = { TOKEN: 'of-the-environment', EMPTY: '' };
  const resolved = (reference: string) => resolveSecret(reference, { root, env });
  expect(resolved(`\${TOKEN}`)).toBe('of-the-environment');
  expect(resolved(`\${file:secrets/x}`)).toBe('of-a-file');
  expect(resolved(`\${file:${join(root, 'secrets/x')}}`)).toBe('of-a-file');
  expect(() => resolved(`\${EMPTY}`)).toThrow('EMPTY of the environment is not set');
  expect(() => resolved(`\${file:none}`)).toThrow('ENOENT');
  mkdirSync(join(root, 'inner'));
  writeFileSync(join(root, 'inner/x'), 'y');
  expect(() => resolveSecret(`\${file:../secrets/x}`, { root: join(root, 'inner'), env })).toThrow('outside');
});

test('a reference reads regular files alone, and a relative one never leaves the folder through a link', () => {
  const root = folderOf({ 'secrets/x': 'of-a-file\n', '..data': 'of-a-file' });
  const outside = join(folderOf({ secret: 'from outside' }), 'secret');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  symlinkSync('secrets', join(root, 'inside'));
  symlinkSync(outside, join(root, 'secrets/link'));
  const linked = join(folderOf({}), 'linked');
  symlinkSync(root, linked);
  const resolved = (file: string, from = root) => resolveSecret(`\${file:${file}}`, { root: from, env: {} });
  for (const path of ['pipe', join(root, 'pipe'), 'secrets'])
    expect(() => resolved(path)).toThrow(`${path} is not a regular file`);
  for (const path of ['secrets/link', 'inside/link'])
    expect(() => resolved(path)).toThrow(`the file ${path} is outside of the folder`);
  expect(resolved(join(root, 'secrets/link'))).toBe('from outside');
  for (const path of ['inside/x', '..data']) expect(resolved(path)).toBe('of-a-file');
  expect(resolved('secrets/x', linked)).toBe('of-a-file');
});

test('a name that no URL can contain is an error', () => {
  expect(ofOne('name: ..\n')).toEqual([
    '1:7 name: must not be . or .., because no URL can contain these names',
  ]);
});
