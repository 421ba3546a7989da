import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Alert, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import type { FieldNode } from '../../mapping/model/field-tree.ts';

/** Alerts whose values and custom fields are offered. */
const SAMPLES = 20;

const FIELDS = [
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
  'dedupKey',
  'status',
  'startedAt',
  'resolvedAt',
  'resolvedBy',
  'resolution',
  'peakSeverity',
  'eventCount',
  'id',
  'webhookId',
] as const satisfies readonly (keyof Alert)[];

const OTHERS: readonly [path: string, sample: string][] = [
  ['alert.webhookName', 'name of the integration'],
  ['alert.link', 'page of the alert in this console'],
  ['transition.type', 'alert.fired'],
  ['transition.timestamp', 'when it changed'],
  ['transition.sequence', 'grows with each message'],
  ['transition.test', 'false'],
];

/** Loads what a filter and a body can read, with values of the newest alerts. */
export function useMessageNodes(): readonly FieldNode[] {
  const { data } = useQuery({
    queryKey: ['/v2/alerts', 'samples'],
    queryFn: ({ signal }) => requestJson<Page<Alert>>('/v2/alerts', { query: { pageSize: SAMPLES }, signal }),
    select: (page) => nodesOf(page.data),
    staleTime: 60_000,
    enabled: useMay('alerts:read'),
  });
  return data ?? WITHOUT_SAMPLES;
}

function nodesOf(alerts: readonly Alert[]): FieldNode[] {
  const sampleOf = (read: (alert: Alert) => unknown) =>
    String(alerts.map(read).find((value) => value !== null && value !== undefined) ?? '');
  const custom = [...new Set(alerts.flatMap((alert) => Object.keys(alert.custom)))];
  return [
    ...FIELDS.map((field) =>
      node(
        `alert.${field}`,
        sampleOf((alert) => alert[field]),
      ),
    ),
    ...custom.map((name) =>
      node(
        `alert.custom${member(name)}`,
        sampleOf((alert) => alert.custom[name]),
      ),
    ),
    ...OTHERS.map(([path, sample]) => node(path, sample)),
  ];
}

const node = (path: string, sample: string): FieldNode => ({ path, type: 'text', sample, pickable: true });

const member = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

const WITHOUT_SAMPLES = nodesOf([]);
