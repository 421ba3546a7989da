import type { FoundRows } from '../../workers/lookups/row-finder.js';
import {
  type AlertComparison,
  asParsed,
  type CompiledMapping,
  compare,
  type DatedObservation,
  type FieldTree,
  type FilterReason,
  fieldTree,
  foundPaths,
  type LookupSource,
  type Normalized,
  type NormalizedAlert,
  normalizeYielding,
  parsePayload,
  repeatWindowMs,
} from '../../workers/mapping/index.js';
import type { Pause } from './one-at-a-time.js';
import type { PreviewPayload } from './payloads.js';
import { ResponseBudget } from './response-budget.js';

/** About how many alerts a preview has in all, and at most of one event: they have up to 57 fields each and are all in memory. */
const MAX_ALERTS = 1_000;
/** After this time the preview stops and reports that it is incomplete. */
const MAX_MS = 2_000;

interface Mappings {
  mapping: CompiledMapping | null;
  /** The mapping to compare with; undefined for no comparison. */
  before: CompiledMapping | null | undefined;
  /** What the lookups of both find; null if they have none. */
  rows?: FoundRows | null | undefined;
  /** Returns an owner as the client sees it. */
  shownOwner?: ((email: string) => string) | undefined;
}

/** The result of mapping payloads. */
export interface Preview {
  observations: DatedObservation[];
  events: PreviewEvent[];
  /** The first of the alerts. */
  alerts: ({ eventId: string | null; repeatWindowSeconds: number | null } & NormalizedAlert)[];
  alertCount: number;
  /** The fields of the first payload that templates can use; null if it is not JSON. */
  fields: FieldTree | null;
  comparison: { eventId: string | null; alerts: AlertComparison[] }[];
}

interface PreviewEvent extends Pick<Normalized, 'eventState' | 'faults' | 'warnings'> {
  eventId: string | null;
  alertCount: number;
  /** What the filter dropped, and why; null if it dropped nothing. */
  filter: (FilterReason & { filteredItems: number }) | null;
}

/** Maps payloads with the worker's function, one per turn of the event loop, until a limit is reached. */
export async function makePreview(
  payloads: AsyncIterable<PreviewPayload>,
  { mapping, before, rows = null, shownOwner }: Mappings,
  pause: Pause,
): Promise<Preview> {
  const preview: Preview = {
    observations: [],
    events: [],
    alerts: [],
    alertCount: 0,
    fields: null,
    comparison: [],
  };
  const budgets = { alerts: new ResponseBudget(), comparison: new ResponseBudget() };
  const end = Date.now() + MAX_MS;
  for await (const payload of payloads) {
    await pause();
    if (preview.events.length === 0 && 'value' in payload.parsed) {
      preview.fields = fieldTree(payload.parsed.value, mapping, payload.request);
      await pause();
    }
    const observation = await observe({ mapping, rows, shownOwner }, payload, pause);
    await pause();
    add(preview, payload.eventId, observation, budgets.alerts);
    if (before !== undefined) {
      await pause();
      const old = await normalizePayload({ mapping: before, rows, shownOwner }, payload, pause);
      await pause();
      const alerts = budgets.comparison.fill(compare(old, observation.normalized));
      preview.comparison.push({ eventId: payload.eventId, alerts });
    }
    if (preview.alertCount >= MAX_ALERTS || Date.now() > end) break;
  }
  await pause();
  return preview;
}

/** Maps a payload and looks for the paths of expressions in it, each in a turn of the event loop. */
async function observe(
  mappings: Omit<Mappings, 'before'>,
  payload: PreviewPayload,
  pause: Pause,
): Promise<DatedObservation> {
  const { mapping } = mappings;
  const { eventId, receivedAt, parsed, request } = payload;
  const normalized = await normalizePayload(mappings, payload, pause);
  const observation = { eventId: eventId ?? '', receivedAt, normalized };
  if (!mapping || !('value' in parsed) || normalized.eventState === 'failed') return observation;
  await pause();
  return { ...observation, found: foundPaths(mapping, parsed.value, request) };
}

function add(
  preview: Preview,
  eventId: string | null,
  observation: DatedObservation,
  budget: ResponseBudget,
): void {
  const { eventState, alerts, faults, warnings, filter: result } = observation.normalized;
  const filter = result?.reason ? { ...result.reason, filteredItems: result.items.length } : null;
  preview.observations.push(observation);
  preview.events.push({ eventId, eventState, alertCount: alerts.length, faults, warnings, filter });
  preview.alertCount += alerts.length;
  for (const alert of budget.fill(alerts)) preview.alerts.push({ eventId, ...withoutGeneratedKey(alert) });
}

/** Returns an alert as it is shown: with the window of its repetitions in place of the key that identifies them. */
function withoutGeneratedKey(
  alert: NormalizedAlert,
): NormalizedAlert & { repeatWindowSeconds: number | null } {
  const windowMs = alert.series && repeatWindowMs(alert.series.dedupKey);
  if (windowMs === null) return { ...alert, repeatWindowSeconds: null };
  return { ...alert, series: null, repeatWindowSeconds: windowMs / 1_000 };
}

function normalizePayload(
  { mapping, rows, shownOwner }: Omit<Mappings, 'before'>,
  { parsed, request, body }: PreviewPayload,
  pause: Pause,
): Normalized | Promise<Normalized> {
  const payload = 'value' in parsed ? asParsed(parsed.value) : parsePayload(parsed.raw);
  const map = (source?: LookupSource) =>
    normalizeYielding(mapping, payload, { request, pause, body, limit: MAX_ALERTS, source });
  if (!rows || !mapping?.lookups.length) return map();
  return rows.settle((source) => map(shownOwner ? withOwners(source, shownOwner) : source));
}

/** Returns a source whose owners are as the client sees them, so that no field shows more of them. */
const withOwners =
  (source: LookupSource, shown: (email: string) => string): LookupSource =>
  (place, key) => {
    const found = source(place, key);
    const email = 'integrationId' in place ? found.row?.email : undefined;
    return email === undefined ? found : { ...found, row: { ...found.row, email: shown(email) } };
  };
