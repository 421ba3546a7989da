/**
 * Returns a foreign text that is safe to print: a cell that an error quotes must not control the terminal. Characters that are
 * invisible or change the direction of writing become `\xNN` or `\u{NNNN}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    const digits = code.toString(16).toUpperCase();
    return code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
  });
}
