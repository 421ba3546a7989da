/** Two letters for a name: those of its first two words, else its first two. */
export function initialsOf(title: string): string {
  const words = title.replace(/\(.*?\)/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [...(words[0] ?? '?')].slice(0, 2);
  const [first = '?', second = ''] = letters;
  return first.toUpperCase() + (words.length > 1 ? second.toUpperCase() : second);
}

/** A hue in degrees, the same for the same name always, and mostly another for another. */
export function hueOf(name: string): number {
  let hash = 2_166_136_261;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 16_777_619) >>> 0;
  return hash % 360;
}
