import { digestOf, type Fact, type FactLimits, factsOf, headline } from './chat.js';
import { Cutter, jsonBytes, readable } from './cutter.js';
import type { Digest, MessageType, Preset, RenderedBody, Told } from './preset.js';
import { judgeStatus } from './verdicts.js';

/** In bytes. Teams takes 28 KB in all. */
const MESSAGE = 28_000;
const HEADLINE = 1_000;
const FACTS: FactLimits = { count: 20, label: 120, value: 600 };
/** A block and the note that the description was cut. */
const RESERVED = 300;

const STYLES: Readonly<Record<MessageType, string>> = {
  'alert.fired': 'attention',
  'alert.changed': 'warning',
  'alert.repeated': 'attention',
  'alert.resolved': 'good',
};

/**
 * For the workflow "Post to a channel when a webhook request is received". It responds with 202, which does not mean that the card is
 * shown: a card above version 1.4 is accepted too, and shown as an error.
 */
export const teams: Preset = {
  name: 'teams',
  title: 'Microsoft Teams',
  mode: 'latest',
  ratePerSecond: 2,
  isUrlSecret: true,
  isSigned: false,
  render,
  renderDigest,
  judge: judgeStatus,
};

function render(told: Told): RenderedBody {
  const cutter = new Cutter((text) => text, jsonBytes);
  const line = headline(told, cutter, HEADLINE);
  const facts = factsOf(told, cutter, FACTS);
  const used = Buffer.byteLength(messageText(told, { line, description: '', facts, note: [] }));
  const description = cutter.fit(readable(told.alert.description ?? ''), MESSAGE - RESERVED - used);
  const text = messageText(told, { line, description, facts, note: cutter.note });
  return { contentType: 'application/json', text };
}

interface Texts {
  line: string;
  description: string;
  facts: readonly Fact[];
  note: readonly string[];
}

function messageText({ type, alert }: Told, { line, description, facts, note }: Texts): string {
  const blocks = [
    ...(description ? [block(run(description))] : []),
    ...facts.map(({ label, value }) => ({
      ...block(run(`${label}: `, { weight: 'Bolder' }), run(value)),
      spacing: 'Small',
    })),
    ...note.map((text) => block(run(text, { isSubtle: true }))),
  ];
  return cardText(type, line, { blocks, link: alert.link });
}

function renderDigest(digest: Digest): RenderedBody {
  const cutter = new Cutter((text) => text, jsonBytes);
  const { type, line, shown, more } = digestOf(digest, cutter);
  const blocks = [
    ...shown.map(({ text, link }) =>
      block(run(text, link ? { selectAction: { type: 'Action.OpenUrl', url: link } } : {})),
    ),
    ...[...more, ...cutter.note].map((text) => block(run(text, { isSubtle: true }))),
  ];
  return { contentType: 'application/json', text: cardText(type, line, { blocks, link: digest.link }) };
}

function cardText(
  type: MessageType,
  line: string,
  { blocks, link }: { blocks: readonly object[]; link: string | null },
): string {
  const headed = {
    type: 'Container',
    style: STYLES[type],
    bleed: true,
    items: [block(run(line, { weight: 'Bolder', size: 'Medium' }))],
  };
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: line,
    body: [headed, ...blocks],
    ...(link ? { actions: [{ type: 'Action.OpenUrl', title: 'Open in Muster', url: link }] } : {}),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({
    type: 'message',
    summary: line,
    attachments: [{ contentType, contentUrl: null, content: card }],
  });
}

/** Unlike a `TextBlock` and a `FactSet`, it has no Markdown: nobody can put a link with another text into an alert. */
const block = (...inlines: readonly object[]) => ({ type: 'RichTextBlock', inlines });
const run = (text: string, style: object = {}) => ({ type: 'TextRun', text, ...style });
