import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SmtpClient } from '../../workers/outbound/smtp-client.js';
import { parseSmtpUrl } from '../../workers/outbound/smtp-server.js';
import { email } from '../../workers/outbox/presets/email.js';
import type { Told } from '../../workers/outbox/presets/preset.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import { FIRED, RESOLVED } from '../support/outbox/told.js';

const engine = unpackedEngine('mail');

describeEngine('aiosmtpd', engine ? null : 'aiosmtpd could not be downloaded', () => {
  let server: ChildProcess;
  let lines: Interface;
  let port: number;
  let certificate: string;
  const folder = mkdtempSync(join(tmpdir(), 'muster-mail-'));
  beforeAll(async () => {
    const altNames = [{ type: 2 as const, value: 'localhost' }];
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames },
      ],
    });
    certificate = cert;
    const files = [join(folder, 'crt'), join(folder, 'key')];
    writeFileSync(files[0] ?? '', cert);
    writeFileSync(files[1] ?? '', key);
    const env = { ...process.env, PYTHONPATH: join(engine ?? '', 'usr/lib/python3/dist-packages') };
    server = spawn('/usr/bin/python3', ['test/support/engines/mail-server.py', ...files], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!server.stdout) throw new Error('no output');
    lines = createInterface({ input: server.stdout });
    [port] = (await once(lines, 'line')).map(Number) as [number];
  });
  afterAll(() => {
    server.kill();
    rmSync(folder, { recursive: true });
  });

  const client = ({ login = 'muster%40example.com:pass%3Aword', query = '', ca = certificate } = {}) => {
    const address = parseSmtpUrl(`smtp://${login}@localhost:${port}${query}`);
    if (!address) throw new Error('invalid address');
    return new SmtpClient(address, { name: 'Müster, "Inc."', address: 'muster@example.com' }, ca);
  };
  const send = (told: Told, recipients = ['ops@example.com'], by = client()) =>
    by.send(recipients, { ...JSON.parse(email.render(told, null).text), id: told.id });

  async function received(told: Told, recipients?: string[]) {
    const [[line]] = await Promise.all([once(lines, 'line'), send(told, recipients)]);
    return JSON.parse(line);
  }

  test('takes mails over TLS and with a login, which another library reads without a defect', async () => {
    const custom = { ключ: '日本語 '.repeat(100), long: 'x'.repeat(2_000) };
    const alert = { ...FIRED.alert, title: 'Größe: 🔥 "high" <b>&amp;</b>', custom };
    const mail = await received({ ...FIRED, alert }, ['ops@example.com', 'ada@example.org']);
    expect(mail).toMatchObject({
      isSecure: true,
      envelope: ['muster@example.com', ['ops@example.com', 'ada@example.org']],
      parts: ['multipart/alternative', 'text/plain', 'text/html'],
      defects: [],
    });
    expect(mail.longestLine).toBeLessThan(998);
    const { headers, text, html } = mail;
    expect(headers.subject).toBe('FIRED: Größe: 🔥 "high" <b>&amp;</b> (warning)');
    expect(headers.from).toBe('"Müster, \\"Inc.\\"" <muster@example.com>');
    expect(headers.to).toBe('ops@example.com, ada@example.org');
    expect(headers.date).toContain('01 Mar 2026 08:00:00');
    expect(text).toContain(custom.ключ.trim());
    expect(text).toContain(custom.long.slice(0, 900));
    expect(html).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;');
  });

  test('shows the end of an alert in the thread of its beginning', async () => {
    const fired = await received(FIRED);
    const resolved = await received({ ...RESOLVED, id: 'msg_2', previousId: FIRED.id });
    expect(resolved.headers['in-reply-to']).toBe(fired.headers['message-id']);
    expect(resolved.headers.references.split(/\s+/)).toEqual([
      fired.headers.references,
      fired.headers['message-id'],
    ]);
  });

  test('rejects recipients for a time or for good, and mails are delivered to the others', async () => {
    expect(await send(FIRED, ['nobody@example.com'])).toMatchObject({ status: 550 });
    expect(await send(FIRED, ['full@example.com'])).toMatchObject({ status: 452 });
    expect(await send(FIRED, ['nobody@example.com', 'full@example.com'])).toMatchObject({ status: 452 });
    const { status, body } = await send(FIRED, ['ops@example.com', 'nobody@example.com']);
    expect(status).toBe(250);
    expect(body).toContain('nobody@example.com: 550 5.1.1 no such user');
  });

  test('gets no password without TLS or with a certificate of nobody known', async () => {
    const failure = (by: SmtpClient) => send(FIRED, undefined, by).catch((error) => error);
    expect(await failure(client({ login: 'muster:wrong' }))).toMatchObject({ code: 'smtp', isOurs: true });
    expect(await failure(client({ query: '?starttls=never' }))).toMatchObject({ code: 'smtp', isOurs: true });
    const { private: _, cert } = await generate([{ name: 'commonName', value: 'other' }]);
    expect(await failure(client({ ca: cert }))).toMatchObject({ code: 'tls', isOurs: true });
    for (const error of [await failure(client({ login: 'muster:wrong' }))])
      expect(error.message).not.toContain('wrong');
  });
});
