import { alertId } from '../../../db/events/alert-id.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';

/** An element of a payload's list `items`. A missing text is left out of the payload. */
export interface SentItem {
  key: string;
  group: string;
  status: string;
  title?: string;
  severity?: string;
  text?: string;
  team?: string;
  zone?: string;
}

/** A mapping, and what it says about an item in plain code. */
export interface TestMapping {
  mapping: object;
  keyOf(item: SentItem): string | null;
  isResolved(item: SentItem): boolean;
  defaultSeverity: string;
}

const fields = (key: string, severity: string, status: object) => ({
  split: 'webhook.items',
  fields: {
    title: { template: '{{item.title}}' },
    severity: { template: '{{item.severity}}', default: severity },
    description: { template: '{{item.text}}' },
    source: { template: 'test' },
    service: { template: '{{item.team}}/{{item.zone}}' },
    team: { template: '{{item.team}}' },
    status: { template: '{{item.status}}', ...status },
    dedupKey: { template: `{{item.${key}}}` },
  },
  custom: { zone: { template: '{{item.zone}}' } },
});

/** Two mappings that group the same items differently, and agree on few statuses. */
export const MAPPINGS = {
  byKey: {
    mapping: fields('key', 'warning', {}),
    keyOf: ({ key }) => key,
    isResolved: ({ status }) => status === 'ok',
    defaultSeverity: 'warning',
  },
  byGroup: {
    mapping: fields('group', 'minor', { values: { muted: 'resolved' } }),
    keyOf: ({ group }) => group || null,
    isResolved: ({ status }) => status === 'ok' || status === 'muted',
    defaultSeverity: 'minor',
  },
} satisfies Record<string, TestMapping>;

/** Any other severity gives way to the default. */
const SEVERITIES: readonly string[] = ['critical', 'error', 'warning', 'info'];

type Ranked = [value: string | null, rank: 0 | 1 | 2];

/** An alert as the API must show it. */
export interface OracleAlert {
  id: string;
  dedupKey: string | null;
  status: 'firing' | 'resolved' | null;
  startedAt: number;
  lastEventAt: number;
  resolvedAt: number | null;
  eventCount: number;
  previousAlertId: string | null;
  state: 'complete' | 'incomplete';
  texts: Record<string, string | null>;
  /** What each of its items did, in order. */
  timeline: { item: string; outcome: string }[];
}

interface Item {
  id: string;
  receivedAt: number;
  key: string | null;
  resolved: boolean;
  texts: Record<string, Ranked>;
}

const sent = (value: string | undefined): Ranked => [value ?? null, value === undefined ? 0 : 2];

/** Returns the items of events as a mapping reads them, in acceptance order. */
function itemsOf(events: readonly IntakeEvent[], mapping: TestMapping): Item[] {
  const items = events.flatMap(({ id, receivedAt, raw }) =>
    (JSON.parse(raw).items as SentItem[]).map((item, number): Item => {
      const { title, severity, text, team, zone } = item;
      const both = team !== undefined && zone !== undefined;
      const none = team === undefined && zone === undefined;
      return {
        id: alertId(id, number),
        receivedAt,
        key: mapping.keyOf(item),
        resolved: mapping.isResolved(item),
        texts: {
          title: sent(title),
          severity: SEVERITIES.includes(severity ?? '') ? sent(severity) : [mapping.defaultSeverity, 1],
          description: sent(text),
          service: none ? [null, 0] : [`${team ?? ''}/${zone ?? ''}`, both ? 2 : 0],
          team: sent(team),
          zone: sent(zone),
        },
      };
    }),
  );
  return items.sort((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1));
}

/**
 * Returns the alerts that events must have become, by id, and the items that resolved nothing. Written from the design, without
 * the code that it checks.
 */
export function oracle(events: readonly IntakeEvent[], mapping: TestMapping) {
  const alerts: { open: boolean; items: Item[]; previous: string | null }[] = [];
  const latest = new Map<string, (typeof alerts)[number]>();
  const nothing: string[] = [];
  for (const item of itemsOf(events, mapping)) {
    const known = item.key === null ? undefined : latest.get(item.key);
    if (item.key !== null && item.resolved && !known?.open) nothing.push(item.id);
    else if (known?.open) {
      known.items.push(item);
      known.open = !item.resolved;
    } else {
      const opened = { open: true, items: [item], previous: known?.items[0]?.id ?? null };
      alerts.push(opened);
      if (item.key !== null) latest.set(item.key, opened);
    }
  }
  const byId = (one: OracleAlert, other: OracleAlert) => (one.id < other.id ? -1 : 1);
  return { alerts: alerts.map(toAlert).sort(byId), nothing: nothing.sort() };
}

function toAlert({ open, items, previous }: { open: boolean; items: Item[]; previous: string | null }) {
  const [first, last] = [items[0], items.at(-1)] as [Item, Item];
  const shown: Record<string, Ranked> = {};
  for (const { texts } of items)
    for (const [name, text] of Object.entries(texts))
      if (text[1] >= (shown[name]?.[1] ?? 0)) shown[name] = text;
  const keyed = first.key !== null;
  const alert: OracleAlert = {
    id: first.id,
    dedupKey: first.key,
    status: keyed ? (open ? 'firing' : 'resolved') : null,
    startedAt: first.receivedAt,
    lastEventAt: last.receivedAt,
    resolvedAt: open ? null : last.receivedAt,
    eventCount: items.length,
    previousAlertId: previous,
    state: shown.description?.[1] === 2 ? 'complete' : 'incomplete',
    texts: Object.fromEntries(Object.entries(shown).map(([name, [value]]) => [name, value])),
    timeline: items.map((item, index) => ({
      item: item.id,
      outcome: index === 0 ? 'opened' : item.resolved ? 'resolved' : 'updated',
    })),
  };
  return alert;
}
