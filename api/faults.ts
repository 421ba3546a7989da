import type { z } from 'zod';
import { type Fault, MAX_FAULTS_SHOWN } from './errors.js';

/** What zod found, as faults of ours: one entry a field, unknown names with the nearest known one. */
export function toFaults(error: z.ZodError, known: readonly string[] = []): Fault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? // Looking for the nearest of known names takes time, and the rest is not shown.
        issue.keys.map((name, at) => unknownName(name, at < MAX_FAULTS_SHOWN ? known : []))
      : [toFault(issue)],
  );
}

function toFault(issue: z.core.$ZodIssue): Fault {
  const [first, ...rest] = issue.path;
  const index = typeof first === 'number' ? { index: first } : {};
  const field = (typeof first === 'number' ? rest : issue.path).join('.') || null;
  const code =
    issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code;
  return { ...index, field, code, message: issue.message };
}

function unknownName(name: string, known: readonly string[]): Fault {
  const nearest = nearestName(name, known);
  const hint = nearest ? `; did you mean ${nearest}?` : known.length ? `; known: ${known.join(', ')}` : '';
  return { field: name, code: 'unknown_parameter', message: `unknown parameter${hint}` };
}

/** The first fault and the number of them, in a sentence: what a tired person reads, if nothing else. */
export function firstOf(faults: readonly Fault[]): string {
  const [first] = faults;
  if (!first) return '';
  const place = [first.index === undefined ? null : `record ${first.index}`, first.field]
    .filter(Boolean)
    .join(', ');
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults, the first`;
  return `${count}: ${place ? `${place}: ` : ''}${first.message}.`;
}

/** The known name that differs by the fewest edits, if those are no more than half of it. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.ceil(best.candidate.length / 2) ? best.candidate : undefined;
}

/** Levenshtein distance, over the first 64 characters: names are short, and a client's text may not be. */
function editDistance(a: string, b: string): number {
  const left = a.slice(0, 64);
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (left[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, substitution);
    }
    row = next;
  }
  return row[b.length] as number;
}
