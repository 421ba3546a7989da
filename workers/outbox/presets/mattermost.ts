import { digestOf, type FactLimits, factsOf, headline, hexColor } from './chat.js';
import { Cutter, readable } from './cutter.js';
import { listItem, withoutLinks } from './markdown.js';
import type { Digest, Preset, RenderedBody, Told } from './preset.js';
import { escapeAngles } from './slack.js';
import { judgeStatus } from './verdicts.js';

/** A message of Mattermost has at most 16,383 characters. These limits add up to less. */
const HEADLINE = 400;
const DESCRIPTION = 6_000;
const FACTS: FactLimits = { count: 20, label: 60, value: 300 };

/** For incoming webhooks of Mattermost. */
export const mattermost: Preset = {
  name: 'mattermost',
  title: 'Mattermost',
  mode: 'latest',
  ratePerSecond: 10,
  isUrlSecret: true,
  isSigned: false,
  render,
  renderDigest,
  judge: judgeStatus,
};

function render(told: Told): RenderedBody {
  const cutter = new Cutter(asText);
  const text = headline(told, cutter, HEADLINE);
  const fields = factsOf(told, cutter, FACTS).map(({ label, value }) => ({
    title: label,
    value,
    short: true,
  }));
  const description = cutter.fit(readable(told.alert.description ?? ''), DESCRIPTION);
  const attachment = {
    fallback: text,
    color: hexColor(told.type),
    ...(told.alert.link ? { title: 'Open in Muster', title_link: told.alert.link } : {}),
    text: description,
    fields,
    footer: ['Muster', ...cutter.note].join(' · '),
  };
  return { contentType: 'application/json', text: JSON.stringify({ text, attachments: [attachment] }) };
}

function renderDigest(digest: Digest): RenderedBody {
  const cutter = new Cutter(asText);
  const { type, line, shown, more } = digestOf(digest, cutter);
  const attachment = {
    fallback: line,
    color: hexColor(type),
    ...(digest.link ? { title: 'All alerts in Muster', title_link: digest.link } : {}),
    text: [...shown.map(listItem), ...more].join('\n'),
    footer: ['Muster', ...cutter.note].join(' · '),
  };
  return { contentType: 'application/json', text: JSON.stringify({ text: line, attachments: [attachment] }) };
}

const asText = (text: string): string => withoutMentions(withoutLinks(escapeAngles(text)));

/** Mattermost notifies a whole channel of `@channel`, wherever it is, also of `_@channel`. A space without width keeps the name readable. */
const withoutMentions = (text: string): string => text.replace(/(?<![A-Za-z0-9])@(?=\w)/g, '@\u200b');
