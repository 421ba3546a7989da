/** What a keyboard shortcut does: opens a page, a dialog, goes to the search of the page, resolves what the page shows, or steps through a list. */
export type Command = { page: string } | 'palette' | 'help' | 'search' | 'resolve' | 'next' | 'previous';

/** The parts of a keyboard event that decide about shortcuts. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The second key of a sequence must follow within this time, in milliseconds. */
const SEQUENCE_MS = 1_500;
const COMMANDS: Readonly<Record<string, Command>> = {
  '?': 'help',
  '/': 'search',
  r: 'resolve',
  j: 'next',
  k: 'previous',
};

/**
 * Recognizes shortcuts in the keys that are pressed one after the other: Ctrl+K or ⌘K, single keys, and `g` followed by the key of a page.
 * @param now the time of the press in milliseconds
 * @returns the command; null if the press completes none
 */
export function keySequence(): (press: KeyPress, now: number, hasSingleKeys: boolean) => Command | null {
  let startedAt = Number.NEGATIVE_INFINITY;
  return (press, now, hasSingleKeys) => {
    const isSecond = now - startedAt <= SEQUENCE_MS;
    if (press.key === 'Shift') return null;
    startedAt = Number.NEGATIVE_INFINITY;
    if (isPaletteKey(press)) return 'palette';
    if (!hasSingleKeys || press.ctrlKey || press.metaKey || press.altKey) return null;
    if (isSecond && press.key.length === 1) return { page: press.key };
    if (press.key === 'g') startedAt = now;
    return COMMANDS[press.key] ?? null;
  };
}

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
