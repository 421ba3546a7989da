const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The largest number of custom fields of a mapping. */
export const MAX_CUSTOM = 50;

/** Returns what is wrong with the name of a custom field, or null if it is valid. */
export function nameError(name: string, used: readonly string[]): string | null {
  if (name === '') return 'Enter a name.';
  if (!NAME.test(name))
    return 'Start with a letter. Use only letters, digits, _ and -, at most 64 characters.';
  return used.includes(name) ? 'Another custom field has this name.' : null;
}

/** Returns an unused, valid name for a custom field, derived from the name of a payload field. */
export function freeName(suggestedName: string, used: readonly string[]): string {
  const name =
    suggestedName
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^[^A-Za-z]+|(?<!_)_+$/g, '')
      .slice(0, 60) || 'field';
  if (!used.includes(name)) return name;
  let number = 2;
  while (used.includes(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
