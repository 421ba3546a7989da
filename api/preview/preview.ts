import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AlertComparison,
  type CompiledMapping,
  compare,
  type FieldTree,
  fieldTree,
  type Normalized,
  type NormalizedAlert,
  normalize,
  normalizeValue,
  type Observation,
} from '../../workers/mapping/index.js';
import type { PreviewPayload } from './payloads.js';
import { ResponseBudget } from './response-budget.js';

/** All alerts of a preview together, about: 57 fields each, they are held at once. */
const MAX_ALERTS = 1_000;
/** After this time the preview says what it has seen, and that it is not all. */
const MAX_MS = 2_000;

interface Mappings {
  mapping: CompiledMapping | null;
  /** What to compare with; undefined: nothing. */
  before: CompiledMapping | null | undefined;
}

/** What a mapping makes of payloads. */
export interface Preview {
  observations: Observation[];
  events: PreviewEvent[];
  /** The first of them. */
  alerts: ({ eventId: string | null } & NormalizedAlert)[];
  alertCount: number;
  /** What templates can say of the first payload; null when it is no JSON. */
  fields: FieldTree | null;
  comparison: { eventId: string | null; alerts: AlertComparison[] }[];
}

interface PreviewEvent extends Pick<Normalized, 'eventState' | 'faults' | 'warnings'> {
  eventId: string | null;
  alertCount: number;
}

/** Maps payloads by the worker's own function, one in each turn of the event loop, until there is enough to tell. */
export async function makePreview(
  payloads: AsyncIterable<PreviewPayload>,
  { mapping, before }: Mappings,
): Promise<Preview> {
  const preview: Preview = {
    observations: [],
    events: [],
    alerts: [],
    alertCount: 0,
    fields: null,
    comparison: [],
  };
  const rooms = { alerts: new ResponseBudget(), comparison: new ResponseBudget() };
  const end = Date.now() + MAX_MS;
  for await (const payload of payloads) {
    await nextTurn();
    if (preview.events.length === 0 && 'value' in payload.parsed) {
      preview.fields = fieldTree(payload.parsed.value, mapping);
      await nextTurn();
    }
    const after = normalizePayload(mapping, payload);
    await nextTurn();
    add(preview, payload, after, rooms.alerts);
    if (before !== undefined) {
      await nextTurn();
      const old = normalizePayload(before, payload);
      await nextTurn();
      const alerts = rooms.comparison.fill(compare(old, after));
      preview.comparison.push({ eventId: payload.eventId, alerts });
    }
    if (preview.alertCount >= MAX_ALERTS || Date.now() > end) break;
  }
  await nextTurn();
  return preview;
}

function add(
  preview: Preview,
  { eventId }: PreviewPayload,
  normalized: Normalized,
  room: ResponseBudget,
): void {
  const { eventState, alerts, faults, warnings } = normalized;
  preview.observations.push({ eventId: eventId ?? '', normalized });
  preview.events.push({ eventId, eventState, alertCount: alerts.length, faults, warnings });
  preview.alertCount += alerts.length;
  for (const alert of room.fill(alerts)) preview.alerts.push({ eventId, ...alert });
}

const normalizePayload = (mapping: CompiledMapping | null, { parsed }: PreviewPayload): Normalized =>
  'value' in parsed ? normalizeValue(mapping, parsed.value) : normalize(mapping, parsed.raw);
