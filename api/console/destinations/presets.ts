import type { Destination, PresetName } from '../http/types.ts';

/** A format of messages, as a new destination shows it. */
export interface Preset {
  title: string;
  /** What the receiver sees. */
  about: string;
  /** Which URL to enter. */
  urlHint: string;
  /** The URL, if all receivers have the same. */
  url?: string;
  /** The label of the secret that its receiver needs besides the URL. */
  secret?: string;
  isSigned?: true;
  takesHeaders?: true;
  /** Whether it goes to recipients, and not to a URL. */
  isMail?: true;
  mode: Destination['mode'];
  ratePerMinute: number | null;
  /** Chats and mailboxes are sent many messages as one; undefined for others. */
  digestAbove?: number;
}

/** The formats of messages, by their names in the API. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  webhook: {
    title: 'Webhook',
    about: 'The whole alert as JSON, signed as Standard Webhooks says.',
    urlHint: 'Of your program, which accepts POST requests',
    isSigned: true,
    takesHeaders: true,
    mode: 'every',
    ratePerMinute: 600,
  },
  slack: {
    title: 'Slack',
    about: 'A line in a channel, and under it the description, fields and a link, with a colored bar.',
    urlHint: 'Of an incoming webhook: https://hooks.slack.com/services/…',
    mode: 'latest',
    ratePerMinute: 60,
    digestAbove: 20,
  },
  mattermost: {
    title: 'Mattermost',
    about: 'A line in a channel, and under it the description, fields and a link, with a colored bar.',
    urlHint: 'Of an incoming webhook: https://chat.example.com/hooks/…',
    mode: 'latest',
    ratePerMinute: 600,
    digestAbove: 20,
  },
  discord: {
    title: 'Discord',
    about: 'A line in a channel and an embed with the description and fields. Its title is the link.',
    urlHint: 'Of a webhook of the channel: https://discord.com/api/webhooks/…',
    mode: 'latest',
    ratePerMinute: 30,
    digestAbove: 20,
  },
  teams: {
    title: 'Microsoft Teams',
    about: 'A card in a channel with a colored headline, fields and a button.',
    urlHint: 'Of a workflow “Post to a channel when a webhook request is received”, which anyone can trigger',
    mode: 'latest',
    ratePerMinute: 120,
    digestAbove: 20,
  },
  pagerduty: {
    title: 'PagerDuty',
    about: 'An incident that opens when the alert fires, and resolves with it.',
    urlHint: 'Of the Events API v2. The EU has https://events.eu.pagerduty.com/v2/enqueue',
    url: 'https://events.pagerduty.com/v2/enqueue',
    secret: 'Routing key',
    mode: 'latest',
    ratePerMinute: 120,
  },
  alertmanager: {
    title: 'Prometheus Alertmanager',
    about: 'An alert for its routes and silences.',
    urlHint: 'https://alertmanager.example.com/api/v2/alerts',
    takesHeaders: true,
    mode: 'latest',
    ratePerMinute: null,
  },
  email: {
    title: 'E-mail',
    about: 'A mail with a subject that phones can show, the description, fields and a link.',
    urlHint: 'The operator’s mail server sends the mails',
    isMail: true,
    mode: 'latest',
    ratePerMinute: 30,
    digestAbove: 20,
  },
};

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name);

/** Returns the preset of a name; undefined for one of another release. */
export const presetOf = (name: string): Preset | undefined => (isPreset(name) ? PRESETS[name] : undefined);
