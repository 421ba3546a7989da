/** What a key does on the page of a review. */
export type ReviewCommand =
  | 'next'
  | 'previous'
  | 'undo'
  | 'owner'
  | 'not_this_person'
  | 'bot'
  | 'left'
  | 'later'
  | 'other'
  | { candidate: number };

/** The keys of a review, as the help shows them. */
export const REVIEW_KEYS: readonly [keys: readonly string[], action: string][] = [
  [['1'], 'Review: the chosen candidate is the owner, like Enter'],
  [['2'], 'Review: the chosen candidate is not this person'],
  [['3'], 'Review: bot'],
  [['4'], 'Review: left'],
  [['5'], 'Review: later'],
  [['a'], 'Review: choose the first candidate; b to e the others'],
  [['o'], 'Review: enter another owner'],
  [['u'], 'Review: undo, like Ctrl Z'],
];

const COMMANDS: Readonly<Record<string, ReviewCommand>> = {
  j: 'next',
  k: 'previous',
  u: 'undo',
  o: 'other',
  Enter: 'owner',
  1: 'owner',
  2: 'not_this_person',
  3: 'bot',
  4: 'left',
  5: 'later',
};

/** The letters of the candidates. */
export const LETTERS: readonly string[] = ['a', 'b', 'c', 'd', 'e'];

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

/**
 * Returns what a key does; null if nothing. A key that is held down steps through the accounts, and decides once.
 * @param hasSingleKeys whether shortcuts that are a single key are on
 */
export function reviewCommand(press: KeyPress, hasSingleKeys: boolean): ReviewCommand | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = press;
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'z') return 'undo';
  if (!hasSingleKeys || ctrlKey || metaKey || altKey) return null;
  const letter = LETTERS.indexOf(key);
  const command = letter === -1 ? (COMMANDS[key] ?? null) : { candidate: letter };
  return repeat && command !== 'next' && command !== 'previous' ? null : command;
}
