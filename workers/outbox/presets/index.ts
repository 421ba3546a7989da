import { alertmanager } from './alertmanager.js';
import { discord } from './discord.js';
import { email } from './email.js';
import { mattermost } from './mattermost.js';
import { pagerduty } from './pagerduty.js';
import type { Preset } from './preset.js';
import { slack } from './slack.js';
import { teams } from './teams.js';
import { webhook } from './webhook.js';

/** The formats that a destination may have, by name. */
export const PRESETS = {
  webhook,
  slack,
  mattermost,
  discord,
  teams,
  pagerduty,
  alertmanager,
  email,
} satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

const byName: ReadonlyMap<string, Preset> = new Map(Object.entries(PRESETS));

/** Returns the preset of a name; null if this release has none. */
export const presetOf = (name: string): Preset | null => byName.get(name) ?? null;
