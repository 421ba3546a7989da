import {
  type CompiledMapping,
  foundPaths,
  type LookupPlace,
  type LookupSource,
  lookedUpPaths,
  type Normalized,
  type NormalizedAlert,
  normalizeYielding,
  repeatWindowMs,
  usedPaths,
} from '../../../workers/mapping/index.js';
import { FileProblem, type Folder } from '../files/folder.js';
import type { IntegrationFile, SamplesFile } from '../files/read-directory.js';
import type { Sample } from '../files/samples-schema.js';
import { hint } from '../files/schema-findings.js';
import type { Finding } from '../finding.js';
import type { ValuePath } from '../yaml/yaml-file.js';
import { type AlertValues, differencesOf, expectedValues, valuesOf } from './alert-values.js';
import { placeInMapping } from './check-mapping.js';
import { eventOf, type SampleEvent } from './sample-event.js';
import type { SearchedTable } from './tables.js';

/** What became of a sample. */
export interface CheckedSample {
  name: string;
  /** Its place in the list of its file. */
  index: number;
  findings: Finding[];
  /** The alerts that Muster makes; null if that is not known. */
  got: readonly AlertValues[] | null;
}

interface Run extends CheckedSample {
  normalized: Normalized;
  event: SampleEvent;
}

interface Subject {
  folder: Folder;
  integration: IntegrationFile;
  samples: SamplesFile;
  mapping: CompiledMapping;
  /** Whether the mapping is in the file of the integration. */
  isOwn: boolean;
  tables: ReadonlyMap<string, SearchedTable>;
}

/** Maps each sample of an integration with Muster's engine, and compares. */
export async function checkSamples(
  subject: Subject,
): Promise<{ samples: CheckedSample[]; findings: Finding[] }> {
  const { samples, mapping } = subject;
  const checked: (CheckedSample | Run)[] = [];
  for (const [index, sample] of (samples.content ?? []).entries())
    checked.push(await checkSample(subject, sample, index));
  const runs = checked.filter((one): one is Run => 'normalized' in one);
  return {
    samples: checked,
    findings: [...unmatchedKeys(subject, runs), ...(subject.isOwn ? neverFound(subject, mapping, runs) : [])],
  };
}

async function checkSample(subject: Subject, sample: Sample, index: number): Promise<CheckedSample | Run> {
  const { samples, folder, mapping } = subject;
  const { name } = sample;
  const findings: Finding[] = [];
  const report = (path: ValuePath, message: string, more: Partial<Finding>) =>
    findings.push(
      samples.yaml.findingAt(samples.yaml.placeOf([index, ...path]), message, { sample: name, ...more }),
    );
  const names = mapping.lookups.map((lookup) => lookup.name);
  for (const lookup of Object.keys(sample.lookups ?? {}))
    if (!names.includes(lookup))
      report(['lookups', lookup], `the mapping has no lookup ${lookup}${hint(lookup, names)}`, {
        code: 'unknown_lookup',
      });
  let event: SampleEvent;
  try {
    event = eventOf(sample, samples.path, folder);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const inRequest = sample.request ? ['request', 'payloadFile'] : ['payloadFile'];
    report(sample.requestFile === undefined ? inRequest : ['requestFile'], error.message, {
      code: 'unreadable_file',
    });
    return { name, index, findings, got: null };
  }
  const { parsed, request, body } = event;
  const source = sourceOf(mapping, sample, subject.tables);
  const normalized = await normalizeYielding(mapping, parsed, { request, body, source, pause: NO_PAUSE });
  const got = normalized.alerts.map(valuesOf);
  for (const { code, message } of normalized.faults) report([], message, { code });
  for (const { code, message } of normalized.warnings) report([], message, { code, level: 'warning' });
  for (const [path, finding] of remarks(normalized.alerts)) report(path, finding.message, finding);
  if (normalized.faults.length === 0) compare(sample, got, report);
  return { name, index, findings, got: normalized.faults.length === 0 ? got : null, normalized, event };
}

/** Nobody else waits. */
const NO_PAUSE = async (): Promise<void> => undefined;

/** The rows that a sample names come first, then those of the tables of the folder. */
function sourceOf(
  mapping: CompiledMapping,
  { lookups = {} }: Sample,
  tables: Subject['tables'],
): LookupSource {
  // Each lookup has a place of its own, even if several read the same table.
  const given = new Map<LookupPlace, Record<string, string> | null>();
  for (const { name, place } of mapping.lookups) {
    const row = lookups[name];
    if (row !== undefined) given.set(place, row);
  }
  return (place, key) => {
    const row = given.get(place);
    if (row !== undefined) return { revision: 1, row };
    const table = 'table' in place ? tables.get(place.table) : undefined;
    return table ? { revision: 1, row: table.find(key) } : { revision: null, row: null };
  };
}

type Report = (path: ValuePath, message: string, more: Partial<Finding>) => void;

function compare({ alerts }: Sample, got: readonly AlertValues[], report: Report): void {
  if (!alerts) {
    const message = 'says no `alerts` that it must become. --update writes those that Muster makes';
    report([], message, { code: 'no_alerts' });
    return;
  }
  const differences = differencesOf(alerts.map(expectedValues), got);
  const [first] = differences;
  if (!first) return;
  const path = ['alerts', first.alert - 1, ...(first.field?.split(/\.(.*)/s, 2) ?? [])];
  report(path, 'becomes other alerts than expected', { code: 'other_alerts', differences });
}

/** A key is left out knowingly: the expected alert has none. */
const KNOWN: ReadonlySet<string> = new Set(['missing_dedup_key']);

/** Returns what the engine remarks about alerts: words without a rank, values that are cut, and fields that are missing. Each once. */
function remarks(alerts: readonly NormalizedAlert[]): [ValuePath, Partial<Finding> & { message: string }][] {
  const found = new Map<string, [ValuePath, Partial<Finding> & { message: string }]>();
  for (const [at, { fields, custom, faults }] of alerts.entries()) {
    const add = (
      field: string,
      remark: { code: string; message: string; value?: string },
      level: Finding['level'],
    ) => {
      const { code, message, value } = remark;
      const named = message.startsWith(`${field}: `) ? message : `${field}: ${message}`;
      const text =
        value === undefined || named.includes(value) ? named : `${named} (${JSON.stringify(value)})`;
      if (!found.has(text)) found.set(text, [['alerts', at], { code, message: text, level }]);
    };
    for (const { code, field, message } of faults)
      add(
        field ?? 'alert',
        { code, message },
        code === 'missing' || code === 'split_not_array' ? 'warning' : 'error',
      );
    const results = [
      ...Object.entries(fields),
      ...Object.entries(custom).map(([name, result]) => [`custom.${name}`, result] as const),
    ];
    for (const [name, { warnings }] of results)
      for (const warning of warnings) if (!KNOWN.has(warning.code)) add(name, warning, 'warning');
  }
  return [...found.values()];
}

/** Finds samples that resolve what no other sample reports: their key is another one, or they have none. */
function unmatchedKeys({ samples }: Subject, runs: readonly Run[]): Finding[] {
  const items = runs.flatMap(({ normalized, name, index }) =>
    normalized.alerts.map((alert) => ({
      name,
      index,
      series: alert.series,
      status: alert.fields.status?.value ?? null,
    })),
  );
  const isKeyed = (key: string) => repeatWindowMs(key) === null;
  const firing = new Set(
    items.flatMap(({ series }) =>
      series && series.status !== 'resolved' && isKeyed(series.dedupKey) ? series.dedupKey : [],
    ),
  );
  if (firing.size === 0) return [];
  return items.flatMap(({ name, index, series, status }) => {
    const place = samples.yaml.placeOf([index]);
    const more: Partial<Finding> = { level: 'warning', code: 'resolves_nothing', sample: name };
    if (series?.status === 'resolved' && isKeyed(series.dedupKey) && !firing.has(series.dedupKey)) {
      const key = JSON.stringify(series.dedupKey);
      return [
        samples.yaml.findingAt(place, `resolves ${key}, which is the dedupKey of no sample that fires`, more),
      ];
    }
    if (status === 'resolved' && !series)
      return [
        samples.yaml.findingAt(place, 'is resolved, but has no dedupKey, so it resolves nothing', more),
      ];
    return [];
  });
}

/** Finds paths of the mapping that lead to nothing in each of the samples. */
function neverFound(
  { integration: { yaml } }: Subject,
  mapping: CompiledMapping,
  runs: readonly Run[],
): Finding[] {
  const found = new Map<string, boolean>();
  for (const { normalized, event } of runs) {
    if (!('value' in event.parsed) || normalized.faults.length > 0) continue;
    const observation = {
      eventId: '',
      normalized,
      found: foundPaths(mapping, event.parsed.value, event.request),
    };
    for (const { field, path, found: isFound } of usedPaths(mapping, observation)) {
      const key = `${field}\n${path}`;
      found.set(key, isFound || (found.get(key) ?? false));
    }
  }
  const seen = new Set<string>();
  return lookedUpPaths(mapping).flatMap(({ field, path }) => {
    const key = `${field}\n${path}`;
    if (found.get(key) !== false || seen.has(key)) return [];
    seen.add(key);
    const at = field === 'filter' || field.startsWith('custom.') ? field : `fields.${field}`;
    const message = `${field}: no sample has ${path}`;
    return [
      yaml.findingAt(yaml.placeOf(placeInMapping(yaml, at)), message, {
        level: 'warning',
        code: 'never_found',
      }),
    ];
  });
}
