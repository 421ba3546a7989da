import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRESETS } from '../../../workers/outbox/presets/index.js';
import type { Told } from '../../../workers/outbox/presets/preset.js';
import { cases, enoughTime } from '../../support/effort.js';
import { hostileTold } from '../../support/outbox/hostile-told.js';
import { FIRED } from '../../support/outbox/told.js';

const CHATS = ['slack', 'mattermost', 'discord', 'teams'] as const;
const LINK = 'https://muster.example.com/alerts';

const many = fc
  .array(hostileTold, { minLength: 2, maxLength: 30 })
  .map((list) => list.map((told) => ({ ...told, alert: { ...told.alert, link: FIRED.alert.link } })));

/** Counts as the strictest receiver does: each character as often as it takes in JSON. */
const sizeOf = (value: unknown): number => JSON.stringify(value).length - 2;

const bodyOf = (name: (typeof CHATS)[number], told: readonly Told[]) => {
  const text = PRESETS[name].renderDigest?.({ told, link: LINK }).text ?? '';
  expect(text.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(name === 'teams' ? 28_000 : 40_000);
  return JSON.parse(text);
};

test(
  'whatever alerts contain, their digest stays within the limits of its receiver',
  () => {
    fc.assert(
      fc.property(many, (told) => {
        const slack = bodyOf('slack', told);
        const [{ blocks }] = slack.attachments;
        expect(blocks.length).toBe(Math.min(10, told.length) + 1);
        expect(sizeOf(blocks)).toBeLessThanOrEqual(13_200);
        for (const { text } of blocks) expect(sizeOf(text?.text ?? '')).toBeLessThanOrEqual(3_000);
        const mattermost = bodyOf('mattermost', told);
        expect(JSON.stringify(mattermost).length).toBeLessThanOrEqual(16_383);
        const discord = bodyOf('discord', told);
        expect(sizeOf(discord.embeds[0].description)).toBeLessThanOrEqual(4_096);
        expect(discord.allowed_mentions).toEqual({ parse: [] });
        const teams = bodyOf('teams', told);
        for (const line of [slack.text, mattermost.text, discord.content, teams.summary])
          expect(line).toMatch(
            new RegExp(
              `^${told.length} alerts: \\d+ (fired|changed|still firing|resolved)(, \\d+ [a-z ]+)*$`,
            ),
          );
      }),
      { numRuns: cases(100), endOnFailure: true },
    );
  },
  enoughTime(60_000),
);

test('the lines of a digest have no link of a sender and no mention', () => {
  const evil = '[Muster](https://evil.example.com) <!channel> @channel';
  const told = [{ ...FIRED, alert: { ...FIRED.alert, title: evil } }, FIRED];
  for (const name of ['mattermost', 'discord'] as const) {
    const text = JSON.stringify(bodyOf(name, told));
    expect(text).not.toContain('](https://evil');
    expect(text).toContain(`[Open](${FIRED.alert.link})`);
  }
  expect(JSON.stringify(bodyOf('mattermost', told))).not.toContain('@channel');
  expect(JSON.stringify(bodyOf('slack', told))).not.toContain('<!channel>');
});
