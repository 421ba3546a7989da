import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { testUnless } from '../../support/test-unless.js';

const PATH = '/v2/developers/identities';
const LONG = 'a-rather-long-account-name-that-makes-an-encoder-wrap-its-line-in-the-middle-of-it';
const TEXT = `email,integrationId,identity\nada@example.com,7,Müller\nbob@example.com,7,acct=31\ncyd@example.com,7,${LONG} \n`;

let stack: Stack;
let client: Client;
let auth: string;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  auth = `Authorization: ApiKey ${await stack.key()}`;
  const files: Record<string, string | Buffer> = {
    'lf.csv': TEXT,
    'crlf.csv': TEXT.replaceAll('\n', '\r\n'),
    'latin1.csv': Buffer.from(TEXT, 'latin1'),
    'a.csv.gz': gzipSync(TEXT),
    'say "hi" März.csv': TEXT,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(stack.folder, name), content);
});
afterAll(() => stack.stop());

const run = promisify(execFile);

function testWith(command: string, ...check: string[]): ReturnType<typeof testUnless> {
  try {
    execFileSync(command, check, { stdio: 'ignore' });
    return testUnless(null);
  } catch {
    return testUnless(`${[command, ...check].join(' ')} does not run here`);
  }
}

/** Runs a client, and returns the body of the response that it printed. */
async function ask(command: string, args: readonly string[]) {
  const { stdout } = await run(command, args, {
    cwd: stack.folder,
    env: { ...process.env, MUSTER: stack.url, AUTH: auth },
  });
  return JSON.parse(stdout);
}

/** Expects that an upload had the rows of the file, and returns the name of its file. */
async function expectRead({ jobId, counts, message }: { jobId: string; counts?: object; message: string }) {
  expect({ message, counts }).toMatchObject({ counts: { total: 3, rejected: 0 } });
  const list = await client.get(PATH);
  expect(list.body.data.map(({ identity }: { identity: string }) => identity).sort()).toEqual([
    'Müller',
    LONG,
    'acct=31',
  ]);
  return (await client.get(`/v2/jobs/${jobId}`)).body.data.fileName;
}

const curl = (...args: string[]) =>
  ask('curl', ['-sS', '-X', 'PATCH', '-H', auth, stack.url + PATH, ...args]);

testWith('curl', '--version').each([
  ['file=@lf.csv', 'lf.csv'],
  ['file=@lf.csv;encoder=quoted-printable', 'lf.csv'],
  ['file=@crlf.csv;encoder=quoted-printable', 'crlf.csv'],
  ['file=@lf.csv;encoder=base64', 'lf.csv'],
  ['file=@crlf.csv;encoder=8bit', 'crlf.csv'],
  ['file=@lf.csv;encoder=binary;type=text/csv', 'lf.csv'],
  ['file=@latin1.csv;type=text/csv;charset=iso-8859-1', 'latin1.csv'],
  ['file=@latin1.csv;encoder=quoted-printable;type=text/csv;charset=windows-1252', 'latin1.csv'],
  ['file=@a.csv.gz;type=application/x-gzip', 'a.csv.gz'],
  ['file=@a.csv.gz;encoder=base64', 'a.csv.gz'],
  ['file=@a.csv.gz;headers="Content-Encoding: gzip"', 'a.csv.gz'],
  ['file=@lf.csv;filename="C:\\\\März\\\\b.csv"', 'b.csv'],
  ['file=@say "hi" März.csv', 'say "hi" März.csv'],
])('curl -F %j', async (form, name) => {
  expect(await expectRead(await curl('-F', form))).toBe(name);
  expect(await expectRead(await curl('--form-escape', '-F', form))).toBe(name);
});

testWith('curl', '--version').each([
  [
    [
      '-F',
      'file=@lf.csv;encoder=quoted-printable',
      '-H',
      'Expect: 100-continue',
      '--expect100-timeout',
      '60',
    ],
  ],
  [
    [
      '-H',
      'Content-Type: text/csv',
      '--data-binary',
      '@lf.csv',
      '-H',
      'Expect: 100-continue',
      '--expect100-timeout',
      '60',
    ],
  ],
  [['-H', 'Content-Type: text/csv;charset=latin1', '-T', 'latin1.csv', '-H', 'Transfer-Encoding: chunked']],
  [['-H', 'Content-Type: application/gzip', '--data-binary', '@a.csv.gz']],
  [['-H', 'Content-Type: text/csv', '-H', 'Content-Encoding: x-gzip', '--data-binary', '@a.csv.gz']],
])('curl %j', async (args) => {
  await expectRead(await curl(...args));
});

testWith('curl', '--version').each([
  ['file=@lf.csv,crlf.csv', 'unexpected_part', 'filename'],
  ['file=@lf.csv;headers="Content-Transfer-Encoding: x-uuencode"', 'unsupported_media_type', 'x-uuencode'],
  ['file=<lf.csv', 'unexpected_part', 'filename'],
  ['upload=@lf.csv', 'unexpected_part', '"upload"'],
])('curl -F %j is rejected by name', async (form, code, says) => {
  const response = await curl('-F', form);
  expect(response.code).toBe(code);
  expect(response.message).toContain(says);
});

testWith('wget', '--version')('wget --method --body-file', async () => {
  const args = ['-qO-', '--header', auth, '--header', 'Content-Type: text/csv', '--body-file=lf.csv'];
  await expectRead(await ask('wget', [...args, '--method=PATCH', stack.url + PATH]));
  const post = args.map((arg) => arg.replace('--body-file', '--post-file'));
  await expectRead(await ask('wget', [...post, `${stack.url + PATH}/imports`]));
});

const python = (...lines: string[]) =>
  ask('python3', [
    '-c',
    [
      'import os, sys',
      "url = os.environ['MUSTER'] + '/v2/developers/identities'",
      "auth = {'Authorization': os.environ['AUTH'].split(': ')[1]}",
      ...lines,
    ].join('\n'),
  ]);

testWith('python3', '-c', 'import requests').each([
  ["('lf.csv', open('lf.csv', 'rb'))", 'lf.csv'],
  ["open('lf.csv', 'rb')", 'lf.csv'],
  ["('März ☃.csv', open('lf.csv', 'rb'), 'text/csv')", 'März ☃.csv'],
  ["('l.csv', open('latin1.csv', 'rb'), 'text/csv; charset=latin1')", 'l.csv'],
  [
    "('b.csv', base64.encodebytes(open('lf.csv', 'rb').read()), 'text/csv', {'Content-Transfer-Encoding': 'base64'})",
    'b.csv',
  ],
  [
    "('q.csv', quopri.encodestring(open('lf.csv', 'rb').read()), 'text/csv', {'Content-Transfer-Encoding': 'quoted-printable'})",
    'q.csv',
  ],
])('requests with files={"file": %s}', async (file, name) => {
  const response = await python(
    'import requests, base64, quopri',
    `print(requests.patch(url, headers=auth, files={'file': ${file}}).text)`,
  );
  expect(await expectRead(response)).toBe(name);
});

testWith('python3', '--version')('the mail package of Python, which encodes what is not ASCII', async () => {
  const response = await python(
    'import urllib.request',
    'from email.mime.multipart import MIMEMultipart',
    'from email.mime.text import MIMEText',
    'from email.mime.application import MIMEApplication',
    "form = MIMEMultipart('form-data')",
    "part = MIMEText(open('lf.csv', encoding='utf-8').read(), 'csv', 'utf-8')",
    "part.add_header('Content-Disposition', 'form-data', name='file', filename=('utf-8', '', 'M\\u00e4rz.csv'))",
    'form.attach(part)',
    "head, body = form.as_bytes().split(b'\\n\\n', 1)",
    "body = body.replace(b'\\r\\n', b'\\n').replace(b'\\n', b'\\r\\n')",
    "headers = {**auth, 'Content-Type': form['Content-Type'].replace('\\n', '')}",
    "print(urllib.request.urlopen(urllib.request.Request(url, body, headers, method='PATCH')).read().decode())",
  );
  expect(await expectRead(response)).toBe('März.csv');
});

test('fetch with FormData, and with a File of a type with a charset', async () => {
  const form = new FormData();
  form.append(
    'file',
    new File([Buffer.from(TEXT, 'latin1')], 'März "1".csv', { type: 'text/csv;charset=ISO-8859-1' }),
  );
  expect(await expectRead((await client.send('PATCH', PATH, { body: form })).body)).toBe('März "1".csv');
});
