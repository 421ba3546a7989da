import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import type { Exported, Product } from './exported.js';

/** Types whose programs send to the Alert API, by their names without case and punctuation. */
const OF_ALERT_API = [
  ...[
    'api',
    'prometheus',
    'grafana',
    'zabbix',
    'icinga',
    'icinga2',
    'nagios',
    'nagiosxi',
    'checkmk',
    'sensu',
  ],
  ...['jenkins', 'elastalert', 'kibana', 'graylog', 'uptimekuma', 'gatus'],
];

/** Templates that are named otherwise than the type. */
const NAMED: Readonly<Record<Product, ReadonlyMap<string, string>>> = {
  opsgenie: new Map(
    Object.entries({
      ...Object.fromEntries(OF_ALERT_API.map((type) => [type, 'opsgenie-api'])),
      amazonsns: 'cloudwatch-sns',
      cloudwatch: 'cloudwatch-sns',
      amazoncloudwatch: 'cloudwatch-sns',
      cloudwatchevents: 'cloudwatch-eventbridge',
      amazoncloudwatchevents: 'cloudwatch-eventbridge',
      stackdriver: 'google-cloud-monitoring',
      googlestackdriver: 'google-cloud-monitoring',
      azure: 'azure-monitor',
      sentry: 'sentry-issue',
    }),
  ),
  'grafana-oncall': new Map(
    Object.entries({
      grafanaalerting: 'grafana',
      formattedwebhook: 'oncall',
      // The script that OnCall gives to Zabbix sends what a formatted webhook has.
      zabbix: 'oncall',
      amazonsns: 'cloudwatch-sns',
      stackdriver: 'google-cloud-monitoring',
      sentry: 'sentry-issue',
      sentryplatform: 'sentry-issue',
    }),
  ),
};

/** What takes alerts out of Opsgenie, or no HTTP request brings. */
const NO_SENDERS: Readonly<Record<Product, RegExp>> = {
  opsgenie:
    /email|^(?:slack.*|webhook|msteams.*|microsoftteams.*|mattermost.*|hipchat|zendesk|jira.*|servicenow.*|statuspage.*|marid|oec|incomingcall)$/,
  'grafana-oncall': /^(?:inboundemail|directpaging|manual|maintenance|slackchannel|demo)$/,
};

const plain = (type: string): string =>
  type
    .toLowerCase()
    .replace(/^legacy_/, '')
    .replace(/[^a-z0-9]/g, '');

const byPlainName = new Map(catalogue.map(({ name }) => [plain(name), name]));

/** Returns whether programs send alerts to integrations of this type. */
export const isSender = ({ product, type }: Exported): boolean => !NO_SENDERS[product].test(plain(type));

/** Returns the template for what is sent to an integration; null if none is known. */
export function templateOf({ product, type }: Exported): string | null {
  const name = plain(type);
  const own = NAMED[product].get(name) ?? NAMED[product].get(name.replace(/v\d+$/, ''));
  return byPlainName.get(plain(own ?? name.replace(/v\d+$/, ''))) ?? null;
}
