import type { z } from 'zod';
import type { integrationDocument } from '../../../api/routes/integrations/document.js';

type Document = z.input<typeof integrationDocument>;

const mappingOf = (number: number) => ({
  ...(number % 3 === 0 ? { filter: `webhook.host != "test-${number}"` } : {}),
  fields: {
    title: { template: `Service ${number}: {{webhook.check}} on {{webhook.host}}` },
    severity: {
      template: '{{webhook.level}}',
      values: { p1: 'critical', p2: 'error', 'p3 # not urgent': 'warning' },
    },
    description: { template: '{{webhook.text}}\nTeam: {{webhook.team}}', default: 'no: text' },
    source: { default: `service ${number}` },
    status: { template: '{{webhook.state}}', values: { bad: 'firing', good: 'resolved' } },
    dedupKey: { template: '{{webhook.check}}/{{webhook.host}}' },
  },
  custom: { region: { template: '{{webhook.region}}' } },
});

const NAMES = ['Service', 'Zürich / 50%', '日本 🚒', 'a: b # c', "it's", '- dash', '"quoted"', '%2F..'];

/** Returns the documents of a team with many sources: half have a mapping of their own, and each has something that others have not. */
export function integrationsOf(count: number): Document[] {
  return Array.from({ length: count }, (_, number): Document => {
    const own = number % 2 === 0;
    return {
      name: `${NAMES[number % NAMES.length]} ${number}`,
      description: number % 5 === 0 ? `Line 1 of ${number}\nline 2: # with a "mark"` : '',
      ...(own ? { mapping: mappingOf(number) } : { template: number % 4 === 1 ? 'grafana' : 'alertmanager' }),
      ...(number % 7 === 0 ? { signature: { scheme: 'github', secret: secretOf(number) } } : {}),
      ...(number % 6 === 0 ? { rateLimit: { eventsPerMinute: 600 + number } } : {}),
      ...(number % 8 === 0 ? { heartbeats: { nightly: { schedule: { cron: '0 3 * * *' } } } } : {}),
      ...(number % 9 === 0 ? { resolveAfterSeconds: 900, driftSeverity: null } : {}),
    };
  });
}

export const secretOf = (number: number): string => `0123456789abcdef-${number}`;

/** Returns a payload for which `integrationsOf` has a mapping, as YAML in a file of samples. */
export const samplesOf = (number: number): string => `# What service ${number} sends.
- name: it fails
  payload: { check: queue, host: h${number}, level: p1, state: bad, text: 12000 wait, team: shop, region: eu, id: 12345678901234567890 }
- name: it works again
  payload:
    check: queue   # the same
    host: h${number}
    level: 'p3 # not urgent'
    state: good
    text: none waits
    team: shop
    region: eu
`;
