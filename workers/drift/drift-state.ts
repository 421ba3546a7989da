/*
 * What the events of an integration looked like, as far as its mapping depends on it. Updated event by event, in the order of arrival, without
 * side effects.
 */

/** How a path that the mapping looks up in every payload appeared so far. */
interface SeenPath {
  field: string;
  path: string;
  /** Events that contain it. */
  found: number;
  /** The newest events that do not, in a row. */
  missing: number;
  /** The most events in a row that did not contain it, before it came back. */
  longestGap: number;
  /** The newest event that contains it; null if none does. */
  last: EventPlace | null;
  /** The types of events that contained it. */
  types: string[];
  /** How many types were known when it was last found. Those of them that never contained it say nothing about it. */
  typesThen: number;
}

export interface EventPlace {
  id: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** The words of a field. */
interface SeenWords {
  known: number;
  unknown: number;
}

/** What the mapping does not fit. */
export type Problem = EventPlace & { field: string } & (
    | {
        kind: 'path';
        path: string;
        /** The path that the sender probably uses instead. */
        proposed: string | null;
        last: EventPlace | null;
        /** How many events in a row did not contain it. */
        missing: number;
      }
    | { kind: 'word'; word: string }
    | { kind: 'type'; type: string }
  );

export interface DriftState {
  /** Events that were looked at. */
  events: number;
  paths: SeenPath[];
  words: Record<string, SeenWords>;
  /** Types of events, in the order in which they first came; null if there are too many to tell them apart. */
  types: string[] | null;
  /** The place of a problem is that of the event that shows it. */
  problems: Problem[];
}

/** What an event says, mapped with the mapping that is now in use. */
export interface SeenEvent extends EventPlace {
  paths: readonly { field: string; path: string; found: boolean; nearest(): string | null }[];
  /** Of fields that have a value map, and of severity and status. */
  words: readonly { field: string; unknown: readonly string[] }[];
  /** Null if the event says nothing about it. */
  type: string | null;
}

/** What to report: a problem that begins, or is over at an event. */
export type Sign = { problem: Problem; over: EventPlace | null };

export const NEW_STATE: DriftState = { events: 0, paths: [], words: {}, types: [], problems: [] };

/** Parses a state, which is stored as JSON. */
export const parseDriftState = (text: string): DriftState => JSON.parse(text);

/** A path that fewer events contained may have been an exception. */
const LEAST_FOUND = 5;
/** A path is gone if so many events in a row do not contain it, and so many times as many as ever before. */
const LEAST_MISSING = 20;
const TIMES_LONGEST_GAP = 3;
/** The share of values that the value map of a field must know for the others to be problems. Severity and status must know all. */
const KNOWN_SHARE = 0.98;
const LEAST_VALUES = 50;
const STRICT: ReadonlySet<string> = new Set(['severity', 'status']);
/** The types of the first events are learned; if there are more types than these, nothing is told by them. */
const LEARNED_EVENTS = 50;
const MAX_TYPES = 30;
/** More problems at once are one: nobody maps these events any more. */
export const MAX_PROBLEMS = 20;

/** Returns the state after an event, and what it shows. */
export function seeEvent(state: DriftState, event: SeenEvent): { state: DriftState; signs: Sign[] } {
  const paths = seePaths(state, event);
  const words = seeWords(state, event);
  const { types, isNew } = withType(state, event.type);
  const after = { ...state, events: state.events + 1, paths: paths.after, words: words.after, types };
  const { id, at, type } = event;
  const news: Sign[] =
    isNew && type !== null ? [{ problem: { id, at, kind: 'type', field: '', type }, over: null }] : [];
  return applied(after, [...paths.signs, ...words.signs, ...news]);
}

const NEVER_SEEN = { found: 0, missing: 0, longestGap: 0, last: null, types: [], typesThen: 0 };

function seePaths(
  state: DriftState,
  { id, at, type, paths }: SeenEvent,
): { after: SeenPath[]; signs: Sign[] } {
  const place = { id, at };
  const signs: Sign[] = [];
  const seen = new Map(state.paths.map((one) => [keyOf(one), one]));
  for (const { field, path, found, nearest } of paths) {
    const before = seen.get(keyOf({ field, path })) ?? { field, path, ...NEVER_SEEN };
    if (!found && isOfOther(before, state.types, type)) continue;
    const after = found
      ? withFound(before, place, state.types, type)
      : { ...before, missing: before.missing + 1 };
    seen.set(keyOf(before), after);
    const open = state.problems.find(
      (one) => one.kind === 'path' && one.field === field && one.path === path,
    );
    if (found && open) signs.push({ problem: open, over: place });
    if (open || !isGone(after)) continue;
    const { last, missing } = after;
    signs.push({
      problem: { ...place, kind: 'path', field, path, proposed: nearest(), last, missing },
      over: null,
    });
  }
  return { after: [...seen.values()], signs };
}

const withFound = (
  before: SeenPath,
  last: EventPlace,
  known: DriftState['types'],
  type: string | null,
): SeenPath => ({
  ...before,
  found: before.found + 1,
  missing: 0,
  longestGap: Math.max(before.longestGap, before.found > 0 ? before.missing : 0),
  last,
  types: withMember(before.types, type),
  typesThen: known?.length ?? 0,
});

function seeWords(
  state: DriftState,
  { id, at, words }: SeenEvent,
): { after: DriftState['words']; signs: Sign[] } {
  const after = { ...state.words };
  const signs: Sign[] = [];
  for (const { field, unknown } of words) {
    const before = after[field] ?? { known: 0, unknown: 0 };
    const isKnown = unknown.length === 0;
    after[field] = { known: before.known + Number(isKnown), unknown: before.unknown + Number(!isKnown) };
    if (!STRICT.has(field) && !isMostlyKnown(before)) continue;
    for (const word of unknown)
      if (!isListed(state.problems, field, word))
        signs.push({ problem: { id, at, kind: 'word', field, word }, over: null });
  }
  return { after, signs };
}

/** Leaves out what exceeds the limit of problems, and notes the others. */
function applied(state: DriftState, signs: readonly Sign[]): { state: DriftState; signs: Sign[] } {
  let { problems } = state;
  const kept: Sign[] = [];
  for (const sign of signs) {
    if (sign.over) problems = problems.filter((one) => one !== sign.problem);
    else if (problems.length < MAX_PROBLEMS) problems = [...problems, sign.problem];
    else continue;
    kept.push(sign);
  }
  return { state: { ...state, problems }, signs: kept };
}

const keyOf = ({ field, path }: { field: string; path: string }): string => `${field}\n${path}`;

const isGone = ({ found, missing, longestGap }: SeenPath): boolean =>
  found >= LEAST_FOUND && missing >= LEAST_MISSING && missing >= TIMES_LONGEST_GAP * longestGap;

const isMostlyKnown = ({ known, unknown }: SeenWords): boolean =>
  known + unknown >= LEAST_VALUES && known >= KNOWN_SHARE * (known + unknown);

const isListed = (problems: readonly Problem[], field: string, word: string): boolean =>
  problems.some((one) => one.kind === 'word' && one.field === field && one.word === word);

/** Returns whether events of a type never contained a path, although there were such events while others did. */
function isOfOther({ types, typesThen }: SeenPath, known: DriftState['types'], type: string | null): boolean {
  if (type === null || types.includes(type)) return false;
  return known?.slice(0, typesThen).includes(type) ?? false;
}

const withMember = (types: string[], type: string | null): string[] =>
  type === null || types.includes(type) ? types : [...types, type].slice(-MAX_TYPES);

function withType({ types, events }: DriftState, type: string | null) {
  if (types === null || type === null || types.includes(type)) return { types, isNew: false };
  if (types.length === MAX_TYPES) return { types: null, isNew: false };
  return { types: [...types, type], isNew: events >= LEARNED_EVENTS };
}

/**
 * Returns the state with another mapping: what it says about paths that the new one does not look up is gone, and so are the counts of words.
 * @param uses whether the new mapping looks up a path for a field
 * @param knows whether the new mapping has a value for the word of a problem
 */
export function withMapping(
  state: DriftState,
  { uses, knows }: { uses(field: string, path: string): boolean; knows(problem: Problem): boolean },
): { state: DriftState; over: Problem[] } {
  const isOver = (problem: Problem): boolean => {
    if (problem.kind === 'path') return !uses(problem.field, problem.path);
    // A new revision is made with the new type in view.
    return problem.kind === 'type' || knows(problem);
  };
  const over = state.problems.filter(isOver);
  const left = state.problems.filter((problem) => !over.includes(problem));
  const paths = state.paths.filter(({ field, path }) => uses(field, path));
  return { state: { ...state, paths, words: {}, problems: left }, over };
}
