import { digestOf, type Fact, type FactLimits, factsOf, headline, hexColor } from './chat.js';
import { Cutter, readable } from './cutter.js';
import type { Digest, MessageType, Preset, RenderedBody, Told } from './preset.js';
import { judgeStatus } from './verdicts.js';

/**
 * Slack's own limits are 3,000 characters a section, 2,000 a field and 10 fields a section. All blocks of a message may also have no
 * more than about 13,200, which is documented nowhere: https://github.com/slackapi/bolt-js/issues/2509. These limits add up to less.
 */
const HEADLINE = 400;
const DESCRIPTION = 3_000;
const FACTS: FactLimits = { count: 20, label: 60, value: 300 };
const FIELDS_PER_SECTION = 10;

/** For incoming webhooks of Slack. */
export const slack: Preset = {
  name: 'slack',
  title: 'Slack',
  mode: 'latest',
  ratePerSecond: 1,
  isUrlSecret: true,
  isSigned: false,
  render,
  renderDigest,
  judge: (response) =>
    response.body.trim() === 'channel_is_archived' ? { outcome: 'gone' } : judgeStatus(response),
};

function render(told: Told): RenderedBody {
  const cutter = new Cutter(escapeWithLinks);
  const text = headline(told, cutter, HEADLINE);
  const facts = factsOf(told, cutter, FACTS).map(field);
  const description = cutter.fit(readable(told.alert.description ?? ''), DESCRIPTION);
  return bodyOf(told.type, text, [
    ...(description ? [section(description)] : []),
    { type: 'section', fields: facts.slice(0, FIELDS_PER_SECTION) },
    ...(facts.length > FIELDS_PER_SECTION
      ? [{ type: 'section', fields: facts.slice(FIELDS_PER_SECTION) }]
      : []),
    ...context([...openLink(told.alert.link, 'Open in Muster'), ...cutter.note]),
  ]);
}

function renderDigest(digest: Digest): RenderedBody {
  const cutter = new Cutter(escapeWithLinks);
  const { type, line, shown, more } = digestOf(digest, cutter);
  return bodyOf(type, line, [
    ...shown.map(({ text, link }) => section([text, ...openLink(link, 'Open')].join(' '))),
    ...context([...more, ...openLink(digest.link, 'All alerts in Muster'), ...cutter.note]),
  ]);
}

const bodyOf = (type: MessageType, text: string, blocks: readonly object[]): RenderedBody => ({
  contentType: 'application/json',
  text: JSON.stringify({
    text,
    unfurl_links: false,
    unfurl_media: false,
    attachments: [{ color: hexColor(type), blocks }],
  }),
});

const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });

const context = (parts: readonly string[]) =>
  parts.length > 0 ? [{ type: 'context', elements: [mrkdwn(parts.join(' · '))] }] : [];

const openLink = (url: string | null, text: string) => (url ? [`<${escapeAngles(url)}|${text}>`] : []);

const field = ({ label, value }: Fact) => mrkdwn(`*${label}*\n${value}`);

/** With `verbatim`, Slack makes no mentions of names in a text. It makes no links of URLs either. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const URLS = /https?:\/\/[^\s<>|"'`]*[^\s<>|"'`.,:;!?)\]}]/g;

/** Returns a text of which only URLs are links, and each shows where it leads. */
function escapeWithLinks(text: string): string {
  const urls = text.match(URLS) ?? [];
  return text
    .split(URLS)
    .map((part, index) => escapeAngles(part) + (urls[index] ? `<${escapeAngles(urls[index])}>` : ''))
    .join('');
}

/** Returns a text in which Slack and Mattermost find no link and no mention such as `<!channel>`. */
export const escapeAngles = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
