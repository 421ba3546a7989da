import { describe, expect, test } from '@jest/globals';
import { type KeyPress, keySequence } from '../../../api/console/shell/shortcuts/key-sequence.js';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({ ...NONE, key, ...held });

/** Presses keys 100 ms apart and returns the commands. */
function type(keys: readonly KeyPress[], { everyMs = 100, hasSingleKeys = true } = {}) {
  const commandOf = keySequence();
  return keys.map((key, index) => commandOf(key, index * everyMs, hasSingleKeys));
}

describe('a keyboard shortcut', () => {
  test('opens the palette with Ctrl+K or ⌘K', () => {
    expect(type([press('k', { ctrlKey: true })])).toEqual(['palette']);
    expect(type([press('K', { metaKey: true })])).toEqual(['palette']);
    expect(type([press('k', { ctrlKey: true, shiftKey: true })])).toEqual([null]);
  });

  test('is a single key', () => {
    const keys = [press('?', { shiftKey: true }), press('/'), press('j'), press('k')];
    expect(type(keys)).toEqual(['help', 'search', 'next', 'previous']);
    expect(type([press('j', { ctrlKey: true }), press('j', { altKey: true })])).toEqual([null, null]);
  });

  test('is g and the key of a page, also if the key alone means something else', () => {
    expect(type([press('g'), press('j'), press('j')])).toEqual([null, { page: 'j' }, 'next']);
  });

  test('leaves keys without a character alone after g', () => {
    expect(type([press('g'), press('Tab'), press('g'), press('Enter')])).toEqual([null, null, null, null]);
  });

  test('needs both keys of a sequence within 1.5 s', () => {
    expect(type([press('g'), press('a')], { everyMs: 1_500 })).toEqual([null, { page: 'a' }]);
    expect(type([press('g'), press('a')], { everyMs: 1_501 })).toEqual([null, null]);
  });

  test('is only Ctrl+K if single keys are off', () => {
    const keys = [press('g'), press('a'), press('?'), press('j'), press('k', { ctrlKey: true })];
    expect(type(keys, { hasSingleKeys: false })).toEqual([null, null, null, null, 'palette']);
  });
});
