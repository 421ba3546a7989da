import { keyOf, part } from '../keys.js';
import { SEVERITIES, UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** Scripts name the same values in many ways. */
const HOSTS = ['host', 'hostname', 'host_name', 'HOST', 'HOSTNAME'];
const CHECKS = ['service', 'check', 'service_description', 'SERVICE', 'SERVICEDESC'];
const STATES = ['state', 'status', 'service_state', 'STATE', 'STATUS'];
const OUTPUTS = ['output', 'message', 'plugin_output', 'OUTPUT', 'MESSAGE'];

const listed = (names: readonly string[]): string => names.map((name) => `webhook.${name}`).join(', ');
const tag = (...names: readonly string[]): string =>
  `{{${names.map((name) => `webhook.${name}`).join('|')}}}`;
const HOST = `first(${listed(HOSTS)})`;
const CHECK = `first(${listed([...CHECKS, 'title'])})`;

export default {
  name: 'generic-check',
  title: 'Generic: host, service, state and output',
  documentation: 'https://www.monitoring-plugins.org/doc/guidelines.html',
  sample: {
    host: 'db-3',
    service: 'disk /var',
    state: 'CRITICAL',
    output: 'DISK CRITICAL - 2% of /var is free',
  },
  recovery: { state: 'OK', output: 'DISK OK - 61% of /var is free' },
  mapping: {
    fields: {
      // Without the state, which changes.
      title: {
        expression: `first(webhook.title, first(${listed(CHECKS)}) + " on " + ${HOST}, ${listed(CHECKS)}, ${listed(HOSTS)})`,
      },
      severity: {
        template: tag('severity', ...STATES),
        values: {
          ...SEVERITIES,
          ...UP_OR_DOWN,
          unknown: 'warning',
          unreachable: 'error',
          ...{ 0: 'info', 1: 'warning', 2: 'critical', 3: 'warning' },
        },
        default: 'error',
      },
      description: { template: tag(...OUTPUTS) },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: tag(...CHECKS, ...HOSTS) },
      environment: { template: '{{webhook.environment|webhook.env}}' },
      team: { template: '{{webhook.team}}' },
      // Numbers are the exit codes of a plug-in.
      status: {
        template: tag(...STATES),
        values: { 0: 'resolved', 1: 'firing', 2: 'firing', 3: 'firing' },
      },
      // A check of the host itself names no service. Some senders have only a title in its place.
      dedupKey: { expression: `first(${keyOf(HOST, CHECK)}, ${part(HOST)})` },
    },
    custom: { host: { template: tag(...HOSTS) } },
  },
  expected: [
    {
      title: 'disk /var on db-3',
      severity: 'critical',
      description: 'DISK CRITICAL - 2% of /var is free',
      source: 'Webhook',
      service: 'disk /var',
      status: 'firing',
      dedupKey: 'db-3/disk /var',
    },
  ],
} satisfies CatalogueSource;
