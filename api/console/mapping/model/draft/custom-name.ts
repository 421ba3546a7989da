const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Fields of a mapping's own, at most. */
export const MAX_CUSTOM = 50;

/** What is wrong with the name of a custom field; null: nothing. */
export function nameError(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give it a name.';
  if (!NAME.test(name)) return 'Begin with a letter, then letters, digits, _ and - only, 64 at most.';
  return taken.includes(name) ? 'There is one of this name already.' : null;
}

/** A name for a custom field that is made of a payload field. */
export function freeName(wish: string, taken: readonly string[]): string {
  const name =
    wish
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^[^A-Za-z]+|_+$/g, '')
      .slice(0, 60) || 'field';
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
