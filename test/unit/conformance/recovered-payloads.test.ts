import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findSource, mergePatch } from '../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../workers/mapping/catalogue/source.js';
import { type JsonValue, parsePayload } from '../../../workers/mapping/index.js';
import { Timeline } from '../mapping/catalogue/timeline.js';

/** Third-party payloads of alert sources. */
const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');
const when = existsSync(DATA) ? describe : describe.skip;
const reason = existsSync(DATA) ? '' : ' (skipped: ../shared/data/payloads is not there)';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** The template of each file, and the keys that lead to what the source itself sends. */
const SOURCES: Record<string, { source: string; inside?: string[] }> = read('payload-alerts.json');

/**
 * How the payload that ends the problem of a file differs from it, as a JSON Merge Patch: the transitions that receivers of these sources
 * test. `resolvedItems` applies to each alert of a list. `firing` leads from a file that ends a problem to one that reports it.
 */
type Recovery = { resolved: JsonValue } | { resolvedItems: JsonValue } | { firing: JsonValue };

const RECOVERIES: Record<string, Recovery> = read('payload-recoveries.json');

function payloadOf(file: string): JsonValue {
  const parsed = parsePayload(readFileSync(join(DATA, `${file}.json`))) as { value: JsonValue };
  const inside = SOURCES[file]?.inside ?? [];
  return inside.reduce((value, key) => (value as Record<string, JsonValue>)[key] as JsonValue, parsed.value);
}

function bothPayloads(file: string, recovery: Recovery): { firing: JsonValue; resolved: JsonValue } {
  const payload = payloadOf(file);
  if ('firing' in recovery) return { firing: mergePatch(payload, recovery.firing), resolved: payload };
  if ('resolved' in recovery) return { firing: payload, resolved: mergePatch(payload, recovery.resolved) };
  const { alerts } = payload as { alerts: JsonValue[] };
  const ended = alerts.map((alert) => mergePatch(alert, recovery.resolvedItems));
  return { firing: payload, resolved: mergePatch(payload, { alerts: ended }) };
}

when(`payloads of real shape${reason}`, () => {
  test.each(Object.entries(RECOVERIES))('%s: sent twice and resolved, it is one alert', (file, recovery) => {
    const { mapping } = findSource(SOURCES[file]?.source as string) as CatalogueSource;
    const { firing, resolved } = bothPayloads(file, recovery);
    const timeline = new Timeline(mapping).add(firing);
    const opened = timeline.alerts.length;
    timeline.add(firing).add(resolved);
    expect(opened).toBeGreaterThan(0);
    expect(timeline.alerts).toHaveLength(opened);
    for (const alert of timeline.alerts) {
      expect(alert).toMatchObject({ eventCount: 3, status: 'resolved', state: 'complete' });
    }
    expect(timeline.standAlone).toBe(0);
  });
});
