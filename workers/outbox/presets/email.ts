import { type Fact, type FactLimits, factsOf, headline, hexColor } from './chat.js';
import { Cutter, readable } from './cutter.js';
import type { Preset, RenderedBody, Told, Verdict } from './preset.js';
import type { Received } from './verdicts.js';

/** Not limits of mail, but of what somebody reads. A phone shows about 40 characters of a subject. */
const SUBJECT = 150;
const DESCRIPTION = 20_000;
const FACTS: FactLimits = { count: 40, label: 60, value: 1_000 };

/** What a mail is made of. */
export interface MailBody {
  /** The same for all mails about an alert; null for tests. */
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
  judge,
};

function render(told: Told): RenderedBody {
  const mail: MailBody = {
    thread: told.isTest ? null : `alert-${told.alert.id}`,
    previousId: told.previousId ?? null,
    date: told.at,
    subject: headline(told, new Cutter((text) => text, lengthOf), SUBJECT),
    text: textOf(told),
    html: htmlOf(told),
  };
  return { contentType: 'application/json', text: JSON.stringify(mail) };
}

const lengthOf = (text: string): number => text.length;

/** What both forms of a mail show, escaped and cut. */
function partsOf(told: Told, cutter: Cutter) {
  const title = headline(told, cutter, SUBJECT * 2);
  const facts = factsOf(told, cutter, FACTS);
  const description = cutter.fit(readable(told.alert.description ?? ''), DESCRIPTION);
  return { title, facts, description, footer: ['Muster', ...cutter.note].join(' · ') };
}

function textOf(told: Told): string {
  const { title, facts, description, footer } = partsOf(told, new Cutter((text) => text, lengthOf));
  const lines = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const { link } = told.alert;
  // The last two are a signature, which mail programs show apart.
  const parts = [title, description, lines, link && `Open in Muster: ${link}`, `-- \n${footer}`];
  return `${parts.filter((part) => part).join('\n\n')}\n`;
}

function htmlOf(told: Told): string {
  const { title, facts, description, footer } = partsOf(told, new Cutter(escapeHtml, lengthOf));
  const { link } = told.alert;
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:16px;font-family:Helvetica,Arial,sans-serif;font-size:14px">',
    `<div style="border-left:4px solid ${hexColor(told.type)};padding-left:12px">`,
    `<p style="font-size:18px;font-weight:bold;margin:0 0 12px">${title}</p>`,
    description && `<p style="white-space:pre-wrap;margin:0 0 12px">${description}</p>`,
    `<table cellpadding="0" cellspacing="0">${facts.map(row).join('')}</table>`,
    link && `<p style="margin:12px 0 0"><a href="${escapeHtml(link)}">Open in Muster</a></p>`,
    `</div><p style="font-size:12px;color:#667085;margin:16px 0 0">${footer}</p></body></html>`,
  ]
    .filter((part) => part)
    .join('\n');
}

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
