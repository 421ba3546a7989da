import type { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  type CompiledMapping,
  type EventRequest,
  type FieldResult,
  keptSource,
  type Normalized,
  type NormalizedAlert,
  normalizeYielding,
  parsePayload,
} from '../../../workers/mapping/index.js';
import type { Pause } from '../../preview/one-at-a-time.js';
import { recognizedOf, recognizePayload } from '../../templates/recognize-payload.js';
import type { mappingErrorSchema } from './schema.js';

type Warning = z.input<typeof mappingErrorSchema>;

/** Remarks that may explain why an alert is wrong, is not paired or never ends. */
const REPORTED: ReadonlySet<string> = new Set([
  'placeholder',
  'unexpanded_macro',
  'missing_status',
  'unknown_status',
  'unknown_severity',
  'occurrence_not_comparable',
  'expression_error',
  'missing_dedup_key',
  'reserved_dedup_key',
  'expiry_not_a_time',
  'owner_not_an_email',
]);

/** More would not help. */
const MAX_WARNINGS = 20;

/**
 * Returns remarks about the values of an event. They are not stored: the event is mapped again with its revision, which takes as long
 * as in a worker. Call it within `oneAtATime`.
 */
export async function fieldWarnings(
  database: Database,
  mapping: CompiledMapping,
  { raw, request, lookups }: { raw: Buffer; request: EventRequest | undefined; lookups: string | null },
  pause: Pause,
): Promise<Warning[]> {
  await pause();
  const parsed = parsePayload(raw);
  if ('error' in parsed) return [];
  const payload = parsed.value;
  await pause();
  const { alerts, lookups: lookedUp } = await normalizeYielding(mapping, parsed, {
    request,
    pause,
    source: keptSource(lookups),
  });
  const share = filledShare(alerts);
  const found = [...(lookedUp?.warnings().map(ofLookup) ?? []), ...remarks(alerts)];
  if (share >= ALMOST_NOTHING) return found;
  const best = recognizedOf(await recognizePayload(database, { payload, request }, pause));
  if (!best || best.fillRate <= share) return found;
  const message =
    `The payload looks like ${best.template.title} (${best.matchedPaths} of ${best.requiredPaths} paths), but the mapping finds almost ` +
    `nothing in it. Use the template \`${best.template.name}\`, or send such events to an integration of their own.`;
  return [{ field: null, code: 'looks_like_template', message }, ...found];
}

const ofLookup = ({ code, message, value }: Normalized['warnings'][number]): Warning => ({
  field: value ?? 'lookups',
  code,
  message,
});

/** Share of the fields with paths below which a mapping is probably for other payloads. */
const ALMOST_NOTHING = 1 / 3;

/** Returns the share of the fields with paths that find a value; 1 if there are none. */
function filledShare(alerts: readonly NormalizedAlert[]): number {
  const results = alerts.flatMap((alert) => resultsOf(alert).map(([, result]) => result));
  const withPaths = results.filter(({ paths }) => paths.length > 0);
  if (withPaths.length === 0) return 1;
  return withPaths.filter(({ result }) => result === 'resolved').length / withPaths.length;
}

const resultsOf = ({ fields, custom }: NormalizedAlert): [string, FieldResult][] => [
  ...Object.entries(fields),
  ...Object.entries(custom).map(([name, result]): [string, FieldResult] => [`custom.${name}`, result]),
];

/** Returns each remark once, with the number of items that it is about. */
function remarks(alerts: readonly NormalizedAlert[]): Warning[] {
  const found = new Map<string, Warning & { count: number }>();
  for (const [field, { warnings, missing }] of alerts.flatMap(resultsOf)) {
    for (const { code, message, value } of warnings) {
      if (!REPORTED.has(code)) continue;
      const path = NEEDS_PATH.has(code) ? missing[0]?.path : undefined;
      // Whatever it is, it may tell who the person is.
      const shownValue = field === 'ownerEmail' ? undefined : value;
      const key = JSON.stringify([field, code, value ?? path ?? message]);
      const known = found.get(key);
      if (known) known.count += 1;
      else if (found.size < MAX_WARNINGS)
        found.set(key, { field, code, message: said(message, shownValue), count: 1, ...(path && { path }) });
    }
  }
  return [...found.values()].map(({ message, count, ...rest }) => {
    const why = rest.path === undefined ? '' : `, because ${rest.path} is missing or blank in the payload`;
    const which = alerts.length > 1 ? ` (${count} of ${alerts.length} items)` : '';
    return { ...rest, message: `${rest.field}: ${message}${why}${which}` };
  });
}

/** Remarks about a field without a value. They name the path that leads to nothing. */
const NEEDS_PATH: ReadonlySet<string> = new Set(['missing_status', 'missing_dedup_key']);

/** Puts the value in front of a message that does not name it. */
const said = (message: string, value: string | undefined): string =>
  value === undefined || message.includes(value) ? message : `"${value}" is ${message}`;
