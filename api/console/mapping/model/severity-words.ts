import type { Mapping, OwnSeverities, WebhookTemplate } from '../../http/types.ts';
import { hasRank } from './draft/own-ranks.ts';
import type { PreviewedAlert } from './previewed.ts';

/** A severity that Muster does not know, and how many alerts have it. */
export interface SeenSeverity {
  severity: string;
  count: number;
}

/** Counts the severities that are neither built in nor ranked, most frequent first. */
export function countUnknown(
  severities: readonly (string | null | undefined)[],
  ranks: OwnSeverities = [],
): SeenSeverity[] {
  const counts = new Map<string, number>();
  for (const severity of severities) {
    if (severity && !hasRank(severity, ranks)) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  }
  return [...counts]
    .map(([severity, count]) => ({ severity, count }))
    .sort((one, other) => other.count - one.count);
}

/** Returns the severities of previewed alerts. */
export const severitiesOf = (alerts: readonly PreviewedAlert[]) =>
  alerts.map(({ fields }) => fields.severity?.value);

/**
 * Proposes a severity for a word: the one of a level such as `SEV2`, from 1, the most severe, or else the one that most templates of
 * the catalogue map the word to. Returns an empty text if neither is known.
 */
export function proposeSeverity(word: string, templates: readonly WebhookTemplate[]): string {
  const wanted = word.trim().toLowerCase();
  const level = /^(?:s|sev|severity|p|prio|priority|level)[-_ ]?(\d)$/.exec(wanted)?.[1];
  if (level !== undefined) return LEVELS[Math.max(0, Number(level) - 1)] ?? 'info';
  const votes = new Map<string, number>();
  for (const { mapping } of templates) {
    for (const [from, to] of Object.entries((mapping as Mapping).fields.severity?.values ?? {})) {
      if (from.toLowerCase() === wanted) votes.set(to, (votes.get(to) ?? 0) + 1);
    }
  }
  const [winner] = [...votes].sort(([, one], [, other]) => other - one);
  return winner?.[0] ?? '';
}

const LEVELS = ['critical', 'error', 'warning', 'info'];
