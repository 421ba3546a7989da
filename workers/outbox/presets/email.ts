import { createHash } from 'node:crypto';
import { digestOf, type Fact, type FactLimits, factsOf, headline, hexColor } from './chat.js';
import { Cutter, readable } from './cutter.js';
import type { Digest, MessageType, Preset, RenderedBody, Told, Verdict } from './preset.js';
import type { Received } from './verdicts.js';

/** Not limits of mail, but of what somebody reads. A phone shows about 40 characters of a subject. */
const SUBJECT = 150;
const DESCRIPTION = 20_000;
const FACTS: FactLimits = { count: 40, label: 60, value: 1_000 };

/** What a mail is made of. */
export interface MailBody {
  /** Of a digest, in place of that of the message: a mail server may drop a second mail with the same id, which may tell of more alerts. */
  id?: string;
  /** The same for all mails about an alert; null for tests and digests. */
  thread: string | null;
  previousId: string | null;
  date: string;
  subject: string;
  text: string;
  html: string;
}

/** For the operator's mail server. The stored body is what a mail is made of. */
export const email: Preset = {
  name: 'email',
  title: 'E-mail',
  mode: 'latest',
  ratePerSecond: 0.5,
  isUrlSecret: false,
  isSigned: false,
  isMail: true,
  render,
  renderDigest,
  judge,
};

function render(told: Told): RenderedBody {
  const mail: MailBody = {
    thread: told.isTest ? null : `alert-${told.alert.id}`,
    previousId: told.previousId ?? null,
    date: told.at,
    subject: headline(told, new Cutter(asIs, lengthOf), SUBJECT),
    text: textOf(told),
    html: htmlOf(told),
  };
  return stored(mail);
}

function renderDigest(digest: Digest): RenderedBody {
  const cutter = new Cutter(asIs, lengthOf);
  const { type, line, shown, more } = digestOf(digest, cutter);
  const escaping = new Cutter(escapeHtml, lengthOf);
  const escaped = digestOf(digest, escaping);
  const ids = digest.told.map(({ id }) => id).sort();
  return stored({
    id: `digest-${createHash('sha256').update(ids.join()).digest('hex').slice(0, 32)}`,
    thread: null,
    previousId: null,
    date: digest.told.reduce((latest, { at }) => (at > latest ? at : latest), ''),
    subject: line,
    text: plainText([
      line,
      shown.map(({ text, link }) => `- ${text}${link ? `\n  ${link}` : ''}`).join('\n'),
      ...more,
      digest.link && `All alerts in Muster: ${digest.link}`,
      signatureOf(footerOf(cutter.note)),
    ]),
    html: page(type, line, {
      parts: [
        `<ul style="padding-left:16px;margin:0">${escaped.shown.map(item).join('')}</ul>`,
        ...more.map((text) => `<p style="margin:12px 0 0">${text}</p>`),
        digest.link && linkTo(digest.link, 'All alerts in Muster'),
      ],
      footer: footerOf(escaping.note),
    }),
  });
}

const stored = (mail: MailBody): RenderedBody => ({
  contentType: 'application/json',
  text: JSON.stringify(mail),
});

const asIs = (text: string): string => text;

const lengthOf = (text: string): number => text.length;

/** What both forms of a mail show, escaped and cut. */
function partsOf(told: Told, cutter: Cutter) {
  const title = headline(told, cutter, SUBJECT * 2);
  const facts = factsOf(told, cutter, FACTS);
  const description = cutter.fit(readable(told.alert.description ?? ''), DESCRIPTION);
  return { title, facts, description, footer: footerOf(cutter.note) };
}

const footerOf = (note: readonly string[]): string => ['Muster', ...note].join(' · ');

/** Mail programs show it apart. */
const signatureOf = (footer: string): string => `-- \n${footer}`;

function textOf(told: Told): string {
  const { title, facts, description, footer } = partsOf(told, new Cutter(asIs, lengthOf));
  const lines = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const { link } = told.alert;
  return plainText([title, description, lines, link && `Open in Muster: ${link}`, signatureOf(footer)]);
}

const plainText = (parts: readonly (string | null)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`;

function htmlOf(told: Told): string {
  const { title, facts, description, footer } = partsOf(told, new Cutter(escapeHtml, lengthOf));
  const { link } = told.alert;
  const parts = [
    description && `<p style="white-space:pre-wrap;margin:0 0 12px">${description}</p>`,
    `<table cellpadding="0" cellspacing="0">${facts.map(row).join('')}</table>`,
    link && linkTo(link, 'Open in Muster'),
  ];
  return page(told.type, title, { parts, footer });
}

/** Returns a page of parts that are escaped. */
const page = (
  type: MessageType,
  title: string,
  { parts, footer }: { parts: readonly (string | null)[]; footer: string },
): string =>
  [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:16px;font-family:Helvetica,Arial,sans-serif;font-size:14px">',
    `<div style="border-left:4px solid ${hexColor(type)};padding-left:12px">`,
    `<p style="font-size:18px;font-weight:bold;margin:0 0 12px">${title}</p>`,
    ...parts,
    `</div><p style="font-size:12px;color:#667085;margin:16px 0 0">${footer}</p></body></html>`,
  ]
    .filter((part) => part)
    .join('\n');

const linkTo = (url: string, text: string): string =>
  `<p style="margin:12px 0 0"><a href="${escapeHtml(url)}">${text}</a></p>`;

const item = ({ text, link }: { text: string; link: string | null }): string =>
  `<li style="margin:0 0 4px">${link ? `<a href="${escapeHtml(link)}">${text}</a>` : text}</li>`;

const row = ({ label, value }: Fact): string =>
  `<tr><td style="color:#667085;padding:2px 16px 2px 0;vertical-align:top">${label}</td><td style="padding:2px 0;word-break:break-word">${value}</td></tr>\n`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

/** Replies of a mail server: with 4xx the same mail may be sent again, with 5xx it must not be. */
function judge({ status }: Received): Verdict {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  return status < 500
    ? { outcome: 'later', afterMs: null, isCounted: true }
    : { outcome: 'rejected', isFinal: true };
}
