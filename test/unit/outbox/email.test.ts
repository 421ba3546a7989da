import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMailbox } from '../../../workers/outbound/mail-address.js';
import { parseSmtpUrl } from '../../../workers/outbound/smtp-server.js';
import { email, type MailBody } from '../../../workers/outbox/presets/email.js';
import type { Told } from '../../../workers/outbox/presets/preset.js';
import { cases } from '../../support/effort.js';
import { hostileTold } from '../../support/outbox/hostile-told.js';
import { FIRED, RESOLVED } from '../../support/outbox/told.js';

const mailOf = (told: Told): MailBody => JSON.parse(email.render(told, null).text);

/** What the form with markup has besides escaped texts. */
const MARKUP =
  /<(?:!doctype html|\/?html|\/?head|meta charset="utf-8"|\/?body|\/?div|\/?p|\/?ul|\/?li|\/?table|\/?tr|\/?td|\/?a)(?: (?:style|cellpadding|cellspacing|href)="[^"<>]*")*>/g;

test('a mail of hostile texts has one line as its subject, and no markup of theirs', () => {
  const property = fc.property(hostileTold, (told) => {
    const { subject, text, html } = mailOf(told);
    expect(subject).toMatch(/^[^\p{Cc}]{1,150}$/u);
    for (const part of [subject, text, html]) expect(part.isWellFormed()).toBe(true);
    expect(html.replace(MARKUP, '')).not.toMatch(/[<>"']/);
    expect(text.length + html.length).toBeLessThan(400_000);
  });
  fc.assert(property, { numRuns: cases(100), endOnFailure: true });
});

test('a digest of hostile texts has no markup of theirs, and the same id for the same messages only', () => {
  const digestOf = (told: readonly Told[]): MailBody =>
    JSON.parse(email.renderDigest?.({ told, link: 'https://muster.example.com/alerts' }).text ?? '');
  const property = fc.property(fc.array(hostileTold, { minLength: 2, maxLength: 30 }), (told) => {
    const { subject, text, html } = digestOf(told);
    expect(subject).toMatch(/^\d+ alerts: [a-z\d, ]+$/);
    for (const part of [text, html]) expect(part.isWellFormed()).toBe(true);
    expect(html.replace(MARKUP, '')).not.toMatch(/[<>"']/);
    expect(text.length + html.length).toBeLessThan(20_000);
  });
  fc.assert(property, { numRuns: cases(100), endOnFailure: true });
  const other = { ...RESOLVED, id: 'msg_2' };
  expect(digestOf([FIRED, other]).id).toBe(digestOf([other, FIRED]).id);
  expect(digestOf([FIRED, other]).id).not.toBe(digestOf([FIRED, { ...other, id: 'msg_3' }]).id);
});

test('mails about an alert are one thread, and tests are none', () => {
  const { thread, previousId } = mailOf(FIRED);
  expect([thread, previousId]).toEqual([`alert-${FIRED.alert.id}`, null]);
  const resolved = mailOf({ ...RESOLVED, previousId: FIRED.id });
  expect([resolved.thread, resolved.previousId]).toEqual([thread, FIRED.id]);
  expect(mailOf({ ...FIRED, isTest: true }).thread).toBeNull();
});

test('a reply of the server says whether a mail may be sent again', () => {
  const outcome = (status: number) => email.judge({ status, headers: {}, body: '' });
  expect(outcome(250)).toEqual({ outcome: 'delivered' });
  expect(outcome(451)).toEqual({ outcome: 'later', afterMs: null, isCounted: true });
  expect(outcome(550)).toEqual({ outcome: 'rejected', isFinal: true });
});

test.each([
  ['muster@example.com', { name: '', address: 'muster@example.com' }],
  ['Müster <muster@example.com>', { name: 'Müster', address: 'muster@example.com' }],
  ['root@mailhost', { name: '', address: 'root@mailhost' }],
  ['muster', null],
  ['müster@example.com', null],
  ['a@example.com, b@example.com', null],
  ['Muster\r\nBcc: eve <a@example.com>', null],
  ['"Muster" <a@example.com>', null],
  ['a@example.com>\r\nRCPT TO:<b@example.com', null],
  [`${'a'.repeat(250)}@example.com`, null],
])('%j as a sender', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox);
});

const SERVER = { host: 'mail.example.com', port: 587, tls: 'offered', login: null };
test.each([
  ['smtp://mail.example.com', SERVER],
  ['smtp://mail.example.com:25/?starttls=never', { ...SERVER, port: 25, tls: 'never' }],
  ['smtp://mail.example.com?starttls=required', { ...SERVER, tls: 'required' }],
  [
    'smtp://a%40b:p%3Aw@mail.example.com',
    { ...SERVER, tls: 'required', login: { user: 'a@b', password: 'p:w' } },
  ],
  ['smtps://[::1]', { ...SERVER, host: '::1', port: 465, tls: 'always' }],
  ['smtps://mail.example.com?starttls=never', null],
  ['smtp://mail.example.com?tls=no', null],
  ['smtp://mail.example.com/path', null],
  ['smtp://%zz@mail.example.com', null],
  ['https://mail.example.com', null],
  ['mail.example.com:25', null],
])('%s as a server', (text, server) => {
  expect(parseSmtpUrl(text)).toEqual(server);
});
