import type { Rank } from '../series/series-item.js';
import { writeRanks } from '../series/stored-item.js';
import type { NormalizedAlert } from './results.js';
import { customOf, RANKS } from './to-series-item.js';

/** Returns the ranks of an alert's fields as they are stored with its item. */
export function ranksText({ fields, custom, faults }: NormalizedAlert): string {
  const own =
    digit(fields.title) +
    digit(fields.severity) +
    digit(fields.description) +
    digit(fields.source) +
    digit(fields.service) +
    digit(fields.environment) +
    digit(fields.team);
  let named: Record<string, Rank> | null = null;
  for (const [name, { value, rank }] of customOf(custom, faults) ?? []) {
    if (value !== null && rank === 2) continue;
    named ??= {};
    named[name] = rank;
  }
  return writeRanks(own, named);
}

const digit = ({ result }: NormalizedAlert['fields']['title']): string => String(RANKS[result]);
