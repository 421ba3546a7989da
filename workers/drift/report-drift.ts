import { createHash } from 'node:crypto';
import type { Report } from '../events/store/report.js';
import { counted } from '../text/quantities.js';
import { timeText } from '../text/times.js';
import type { Problem } from './drift-state.js';

interface Integration {
  id: string;
  name: string;
  severity: string;
}

/** Returns the report that events do not fit the mapping. Its alert begins with the event that shows it. */
export function driftReport({ id, name, severity }: Integration, problem: Problem, revision: number): Report {
  const { title, description, custom } = textsOf(problem, name);
  return {
    webhookId: id,
    at: problem.at,
    body: { muster: 'drift', ...bodyOf(problem), revision },
    item: {
      key: driftKey(problem),
      status: 'firing',
      // A new type of event may be none of the mapping's business.
      severity: problem.kind === 'type' ? 'info' : severity,
      title,
      description,
      custom: { drift: problem.kind, ...custom, event: problem.id },
    },
  };
}

/** Returns the report that a problem is over. */
export const driftOver = (webhookId: string, problem: Problem, at: number, reason: string): Report => ({
  webhookId,
  at,
  body: { muster: 'drift', ...bodyOf(problem), over: reason },
  item: {
    key: driftKey(problem),
    status: 'resolved',
    severity: 'info',
    title: null,
    description: reason,
    custom: {},
  },
});

function bodyOf({ id, at, ...problem }: Problem): Record<string, unknown> {
  return { ...problem, eventId: id, at: new Date(at) };
}

const MAX_KEY = 200;

/** Returns the key of a problem's alerts, without the prefix of Muster's own keys. */
export function driftKey(problem: Problem): string {
  const { kind, field } = problem;
  const what = kind === 'path' ? problem.path : kind === 'word' ? problem.word : problem.type;
  const key = `drift:${kind}:${field && `${field}:`}${what}`;
  if (key.length <= MAX_KEY) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 16);
  return `${key.slice(0, MAX_KEY - 17).toWellFormed()}#${hash}`;
}

const MAX_SHOWN = 80;
const shown = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1).toWellFormed()}…`;

function textsOf(
  problem: Problem,
  name: string,
): { title: string; description: string; custom: Record<string, string> } {
  if (problem.kind === 'path') {
    const { field, path, proposed, last, missing } = problem;
    return {
      title: `${shown(path)} is missing from the events of ${shown(name)}`,
      description: [
        `${field === 'filter' ? 'The filter' : `The mapping of ${field}`} reads ${path}, and the last ${counted(missing, 'event')} did not contain it.`,
        last && `The last one that did came at ${timeText(last.at)}.`,
        proposed && `It may be ${proposed} now.`,
      ]
        .filter(Boolean)
        .join(' '),
      custom: { field, path, ...(proposed === null ? {} : { proposed }) },
    };
  }
  if (problem.kind === 'word') {
    const { field, word } = problem;
    return {
      title: `${field} ${shown(JSON.stringify(word))} of ${shown(name)} is unknown`,
      description: `${UNKNOWN[field] ?? 'The value map of the field has no entry for it.'} Map it to a known value.`,
      custom: { field, word },
    };
  }
  return {
    title: `New type of event from ${shown(name)}: ${shown(problem.type)}`,
    description: 'No event before was of this type. Check what the mapping makes of it.',
    custom: { type: problem.type },
  };
}

const UNKNOWN: Partial<Record<string, string>> = {
  severity: 'It is neither in the value map nor a known severity, so it ranks lowest.',
  status: 'It is not a known status word, so the event counts as firing.',
};
