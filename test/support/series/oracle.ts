import { alertId } from '../../../db/events/alerts/alert-id.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { alertsOf, type RuledItem, type Run } from './rules.js';

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
  run?: number;
  since?: string;
}

type Status = RuledItem['status'] | 'test';

/** A mapping, and what it says about an item in plain code. */
export interface TestMapping {
  mapping: object;
  keyOf(item: SentItem): string | null;
  statusOf(item: SentItem): Status;
  runOf(item: SentItem): Run | null;
  isFinal: boolean;
  defaultSeverity: string;
  /** The severities that have a rank, the most severe first. */
  severities: readonly string[];
}

const fields = (key: string, severity: object, occurrence: string, status: object) => ({
  split: 'webhook.items',
  fields: {
    title: { template: '{{item.title}}' },
    severity: { template: '{{item.severity}}', ...severity },
    description: { template: '{{item.text}}' },
    source: { template: 'test' },
    service: { template: '{{item.team}}/{{item.zone}}' },
    team: { template: '{{item.team}}' },
    status: { template: '{{item.status}}', ...status },
    dedupKey: { template: `{{item.${key}}}` },
    occurrence: { template: `{{item.${occurrence}}}` },
  },
  custom: { zone: { template: '{{item.zone}}' } },
});

/** The first one is as severe as `critical`, the second one a little less. */
const OWN_RANKS = ['P0', 'P1'].map((word) => ({ word, as: 'critical' }));

const WORDS: Record<string, Status> = {
  ok: 'resolved',
  reopened: 'reopened',
  update: 'update',
  test: 'test',
};
const statusOf = ({ status }: SentItem): Status => WORDS[status] ?? 'firing';

/** Any other severity gives way to the default. */
const BUILT_IN = ['critical', 'error', 'warning', 'info'];

/** Two mappings that group the same items differently, and agree on few statuses. To the second one, each group is one problem for ever. */
export const MAPPINGS = {
  byKey: {
    mapping: fields('key', { default: 'warning', ranks: OWN_RANKS }, 'run', {}),
    keyOf: ({ key }) => key,
    statusOf,
    runOf: ({ run }) => run ?? null,
    isFinal: false,
    defaultSeverity: 'warning',
    severities: ['critical', 'P1', ...BUILT_IN.slice(1)],
  },
  byGroup: {
    mapping: {
      ...fields('group', { default: 'minor' }, 'since', { values: { muted: 'resolved' } }),
      final: true,
    },
    keyOf: ({ group }) => group || null,
    statusOf: (item) => (item.status === 'muted' ? 'resolved' : statusOf(item)),
    runOf: ({ since = '' }) => (Number.isNaN(Date.parse(since)) ? null : new Date(since)),
    isFinal: true,
    defaultSeverity: 'minor',
    severities: BUILT_IN,
  },
} satisfies Record<string, TestMapping>;

/** A text, and how it was filled: 2 from the payload, 1 a default, 0 not at all. An update has 0.5 and -1: it only fills what is missing. */
type Ranked = [value: string | null, rank: -2 | -1 | 0 | 0.5 | 1 | 2];

/** An alert as the API must show it. */
export interface OracleAlert {
  id: string;
  dedupKey: string | null;
  status: 'firing' | 'resolved' | 'test' | null;
  startedAt: number;
  lastEventAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  resolution: string | null;
  peakSeverity: string | null;
  peakAt: number | null;
  eventCount: number;
  previousAlertId: string | null;
  state: 'complete' | 'incomplete';
  texts: Record<string, string | null>;
  /** What each of its items did, in order. */
  timeline: { item: string; outcome: string }[];
}

interface Item extends Omit<RuledItem, 'status'> {
  receivedAt: number;
  /** Null for an item that stands alone. */
  key: string | null;
  status: Status;
  texts: Record<string, Ranked>;
  /** What it says if it is the end. */
  resolution: string | null;
}

/** An item of a series. */
interface KeyedItem extends Item {
  key: string;
  status: RuledItem['status'];
}

const isKeyed = (item: Item): item is KeyedItem => item.key !== null;

const sent = (value: string | undefined): Ranked => [value ?? null, value === undefined ? 0 : 2];
/** The end replaces nothing, and adds only custom fields. */
const ofEnd = ([name, [value, rank]]: [string, Ranked]): [string, Ranked] => [
  name,
  name === 'zone' && rank === 2 ? [value, 0.5] : [value, -2],
];
const ofUpdate = ([name, [value, rank]]: [string, Ranked]): [string, Ranked] => [
  name,
  [value, rank === 2 ? 0.5 : -1],
];
const changed = (texts: Record<string, Ranked>, change: typeof ofEnd): Record<string, Ranked> =>
  Object.fromEntries(Object.entries(texts).map(change));

/** Returns the items of events as a mapping reads them, in acceptance order. */
function itemsOf(events: readonly IntakeEvent[], mapping: TestMapping): Item[] {
  const items = events.flatMap(({ id, receivedAt, raw }) =>
    (JSON.parse(raw).items as SentItem[]).map((item, number): Item => {
      const status = mapping.statusOf(item);
      const key = status === 'test' ? null : mapping.keyOf(item);
      const isEnd = key !== null && status === 'resolved';
      const texts = textsOf(item, mapping);
      return {
        id: alertId(id, number),
        receivedAt,
        key,
        status,
        run: mapping.runOf(item),
        final: mapping.isFinal,
        texts: isEnd ? changed(texts, ofEnd) : status === 'update' ? changed(texts, ofUpdate) : texts,
        resolution: item.text ?? item.title ?? null,
      };
    }),
  );
  return items.sort((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1));
}

function textsOf(item: SentItem, { defaultSeverity, severities }: TestMapping): Record<string, Ranked> {
  const { title, severity, text, team, zone } = item;
  const both = team !== undefined && zone !== undefined;
  const none = team === undefined && zone === undefined;
  return {
    title: sent(title),
    severity: severities.includes(severity ?? '') ? sent(severity) : [defaultSeverity, 1],
    description: sent(text),
    service: none ? [null, 0] : [`${team ?? ''}/${zone ?? ''}`, both ? 2 : 0],
    team: sent(team),
    zone: sent(zone),
  };
}

/**
 * Returns the alerts that events must have become, by id, and the outcomes of the items that changed none. Written from the design, without
 * the code that it checks.
 */
export function oracle(events: readonly IntakeEvent[], mapping: TestMapping) {
  const items = itemsOf(events, mapping);
  const alerts = items.filter((item) => !isKeyed(item)).map((item) => toAlert([item], null, mapping));
  const nothing = new Map<string, string>();
  for (const series of bySeries(items.filter(isKeyed))) {
    const ruled = alertsOf(series);
    for (const [index, { items: own }] of ruled.alerts.entries())
      alerts.push(toAlert(own, ruled.alerts[index - 1]?.items[0]?.id ?? null, mapping, ruled.outcomes));
    const used = new Set(ruled.alerts.flatMap(({ items: own }) => own.map(({ id }) => id)));
    for (const [id, outcome] of ruled.outcomes) if (!used.has(id)) nothing.set(id, outcome);
  }
  return { alerts: alerts.sort((one, other) => (one.id < other.id ? -1 : 1)), nothing };
}

function bySeries(items: readonly KeyedItem[]): KeyedItem[][] {
  const keys = [...new Set(items.map(({ key }) => key))];
  return keys.map((key) => items.filter((item) => item.key === key));
}

/** Returns the most severe of the severities that payloads provided, or else of the others, with the time of the first item that has it. */
function peakOf(items: readonly Item[], { severities }: TestMapping) {
  const place = (severity: string): number =>
    severities.includes(severity) ? severities.indexOf(severity) : severities.length;
  let peak: { severity: string; rank: number; at: number } | null = null;
  for (const { status, texts, receivedAt } of items) {
    const [severity, rank] = texts.severity ?? [null, 0];
    if (severity === null || status === 'resolved') continue;
    const isHigher =
      !peak || rank > peak.rank || (rank === peak.rank && place(severity) < place(peak.severity));
    if (isHigher) peak = { severity, rank, at: receivedAt };
  }
  return { peakSeverity: peak?.severity ?? null, peakAt: peak?.at ?? null };
}

function toAlert(
  items: readonly Item[],
  previous: string | null,
  mapping: TestMapping,
  outcomes?: ReadonlyMap<string, string>,
) {
  const [first, last] = [items[0], items.at(-1)] as [Item, Item];
  const shown: Record<string, Ranked> = {};
  for (const { texts } of items)
    for (const [name, text] of Object.entries(texts))
      if (text[1] >= (shown[name]?.[1] ?? -1)) shown[name] = text;
  const isShown = (text: string | null) => [shown.title, shown.description].some((one) => one?.[0] === text);
  const isOver = last.status === 'resolved' && first.key !== null;
  const alert: OracleAlert = {
    id: first.id,
    dedupKey: first.key,
    status: first.key !== null ? (isOver ? 'resolved' : 'firing') : first.status === 'test' ? 'test' : null,
    startedAt: first.receivedAt,
    lastEventAt: last.receivedAt,
    resolvedAt: isOver ? last.receivedAt : null,
    resolvedBy: isOver ? 'event' : null,
    resolution: isOver && !isShown(last.resolution) ? last.resolution : null,
    ...(first.key === null ? { peakSeverity: null, peakAt: null } : peakOf(items, mapping)),
    eventCount: items.length,
    previousAlertId: previous,
    state: (shown.description?.[1] ?? 0) > 0 ? 'complete' : 'incomplete',
    texts: Object.fromEntries(Object.entries(shown).map(([name, [value]]) => [name, value])),
    timeline: items.map(({ id }) => ({ item: id, outcome: outcomes?.get(id) ?? 'opened' })),
  };
  return alert;
}
