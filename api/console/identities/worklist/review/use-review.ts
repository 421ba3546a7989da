import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { announce } from '../../../parts/feedback/announce.tsx';
import { isTyping } from '../../../parts/is-typing.ts';
import { singleKeysOff } from '../../../settings/single-keys.ts';
import { wholeNumber } from '../../../text/quantities.ts';
import type { WorklistRow } from '../parse-worklist.ts';
import {
  type AccountState,
  countProgress,
  describeState,
  isDone,
  type Made,
  OPEN,
  openCandidates,
  WORDS,
  withDecision,
} from './account-state.ts';
import type { DecisionQueue } from './decision-queue.ts';
import { type ReviewCommand, reviewCommand } from './review-keys.ts';

interface Undo {
  index: number;
  before: AccountState;
}

export type Review = ReturnType<typeof useReview>;

/** Returns the account that is reviewed, what is decided, and functions that decide, step and undo. */
export function useReview(rows: readonly WorklistRow[], queue: DecisionQueue) {
  const saving = useSyncExternalStore(queue.subscribe, queue.state);
  const [index, setIndex] = useState(() => Math.max(0, nextOpen(rows, queue, -1)));
  const [chosen, setChosen] = useState<string | null>(null);
  const [undos, setUndos] = useState<readonly Undo[]>([]);
  const row = rows[index] as WorklistRow;
  const state = queue.stateOf(row.identity);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the queue replaces its state when a decision changes
  const progress = useMemo(() => countProgress(rows, queue.stateOf), [rows, queue, saving]);
  const candidate = chosen ?? openCandidates(row, state)[0]?.email ?? null;

  const goTo = (to: number, said = '') => {
    const next = rows[to];
    if (!next) return announce(said || 'There are no more accounts.');
    setIndex(to);
    setChosen(null);
    announce(`${said} ${describeAccount(next, queue.stateOf(next.identity), to, rows.length)}`.trim());
  };
  const decide = (made: Made) => {
    const after = withDecision(state, made);
    setUndos((before) => [...before, { index, before: state }]);
    queue.decide(row, after);
    setChosen(null);
    const about = 'email' in made ? `: ${made.email}` : '';
    const said = `${row.identity}, ${WORDS[made.decision]}${about}.`;
    if (!isDone(row, after)) return goTo(index, said);
    const next = nextOpen(rows, queue, index);
    if (next === -1) announce(`${said} All accounts are decided.`);
    else goTo(next, said);
  };
  const undo = () => {
    const last = undos.at(-1);
    const undone = last && rows[last.index];
    if (!undone) return announce('There is nothing to undo.');
    queue.decide(undone, last.before);
    setUndos(undos.slice(0, -1));
    goTo(last.index, 'Undone.');
  };
  return {
    row,
    state,
    index,
    saving,
    progress,
    problem: queue.problemOf(row.identity),
    candidate,
    choose: setChosen,
    decide,
    undo: undos.length > 0 ? undo : null,
    goTo,
    next: () => goTo(index + 1),
    previous: () => goTo(index - 1),
    goToOpen: () => {
      const next = nextOpen(rows, queue, index);
      if (next === -1) announce('All accounts are decided.');
      else goTo(next);
    },
  };
}

/** Returns the index of the next account that is not decided, from the start again after the last one; -1 if there is none. */
function nextOpen(rows: readonly WorklistRow[], queue: DecisionQueue, after: number): number {
  const isOpen = (row: WorklistRow) => !isDone(row, queue.stateOf(row.identity) ?? OPEN);
  const later = rows.findIndex((row, at) => at > after && isOpen(row));
  return later === -1 ? rows.findIndex(isOpen) : later;
}

/** Returns what screen readers say about an account. */
function describeAccount(row: WorklistRow, state: AccountState, index: number, total: number): string {
  const [first] = openCandidates(row, state);
  const place = `Account ${wholeNumber(index + 1)} of ${wholeNumber(total)}: ${row.identity}`;
  const name = row.displayName ? `, ${row.displayName}` : '';
  const decided = describeState(row, state);
  const candidate = first
    ? `Candidate ${first.email}, score ${first.score}, ${first.reason}.`
    : 'No candidates.';
  return `${place}${name}. ${decided ? `Decided: ${decided}.` : candidate}`;
}

/** Where Enter does something of its own. */
const PRESSABLE = 'a, button, summary';

/** Runs the commands of keys that go neither to an input nor to a dialog. */
export function useReviewKeys(run: (command: ReviewCommand) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      const { target } = event;
      if (event.key === 'Enter' && target instanceof Element && target.closest(PRESSABLE)) return;
      const command = reviewCommand(event, !singleKeysOff.isSet());
      if (command === null) return;
      event.preventDefault();
      latest.current(command);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
