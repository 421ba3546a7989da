/** Returns two letters for a name: the initials of its first two words, or the first two letters of a single word. */
export function initialsOf(title: string): string {
  const words = title.replace(/\([^()]*\)/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [...(words[0] ?? '?')].slice(0, 2);
  const [first = '?', second = ''] = letters;
  return first.toUpperCase() + (words.length > 1 ? second.toUpperCase() : second);
}

/** Returns a hue in degrees, derived from a hash of the name: equal names get equal hues. */
export function hueOf(name: string): number {
  let hash = 2_166_136_261;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 16_777_619) >>> 0;
  return hash % 360;
}
