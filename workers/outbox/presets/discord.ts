import { z } from 'zod';
import { COLORS, digestOf, type FactLimits, factsOf, headline, titleOf } from './chat.js';
import { Cutter, readable } from './cutter.js';
import { listItem, withoutLinks } from './markdown.js';
import type { Digest, Preset, RenderedBody, Told, Verdict } from './preset.js';
import { jsonOf, judgeStatus, type Received, waitOf } from './verdicts.js';

/** The limits of an embed: 256 characters in its title, 4,096 in its description, and 6,000 in all of its texts. */
const TITLE = 256;
const DESCRIPTION = 4_096;
const EMBED = 6_000;
const HEADLINE = 400;
const FOOTER = 60;
/** Discord would take 25 fields with 256 and 1,024 characters, but not all of them in one embed. */
const FACTS: FactLimits = { count: 20, label: 50, value: 200 };

/** For webhooks of Discord. */
export const discord: Preset = {
  name: 'discord',
  title: 'Discord',
  mode: 'latest',
  // 30 a minute in each channel: https://github.com/discord/discord-api-docs/issues/1454
  ratePerSecond: 0.5,
  isUrlSecret: true,
  isSigned: false,
  render,
  renderDigest,
  judge,
};

function render(told: Told): RenderedBody {
  const cutter = new Cutter(withoutLinks);
  const content = headline(told, cutter, HEADLINE);
  const title = cutter.fit(titleOf(told.alert), TITLE);
  const facts = factsOf(told, cutter, FACTS);
  const used = [title, ...facts.flatMap(({ label, value }) => [label, value])]
    .map((text) => cutter.sizeOf(text))
    .reduce((sum, size) => sum + size, FOOTER);
  const description = cutter.fit(readable(told.alert.description ?? ''), Math.min(DESCRIPTION, EMBED - used));
  const embed = {
    title,
    ...(told.alert.link ? { url: told.alert.link } : {}),
    ...(description ? { description } : {}),
    color: COLORS[told.type],
    fields: facts.map(({ label, value }) => ({ name: label, value, inline: true })),
    footer: { text: ['Muster', ...cutter.note].join(' · ') },
    timestamp: told.at,
  };
  return bodyOf(content, embed);
}

function renderDigest(digest: Digest): RenderedBody {
  const cutter = new Cutter(withoutLinks);
  const { type, line, shown, more } = digestOf(digest, cutter);
  return bodyOf(line, {
    ...(digest.link ? { title: 'All alerts in Muster', url: digest.link } : {}),
    description: [...shown.map(listItem), ...more].join('\n'),
    color: COLORS[type],
    footer: { text: ['Muster', ...cutter.note].join(' · ') },
  });
}

const bodyOf = (content: string, embed: object): RenderedBody => ({
  contentType: 'application/json',
  text: JSON.stringify({ content, embeds: [embed], allowed_mentions: { parse: [] } }),
});

/** Seconds with fractions, more exact than the header. */
const rateLimited = z.object({ retry_after: z.number().nonnegative() });
/** The webhook was deleted. A 404 with another code may be a proxy's. */
const unknownWebhook = z.object({ code: z.literal(10_015) });

function judge(response: Received): Verdict {
  const body = response.status < 400 ? null : jsonOf(response.body);
  if (response.status === 404 && unknownWebhook.safeParse(body).success) return { outcome: 'gone' };
  const limited = response.status === 429 ? rateLimited.safeParse(body).data : undefined;
  return limited
    ? { outcome: 'later', afterMs: waitOf(limited.retry_after), isCounted: false }
    : judgeStatus(response);
}
