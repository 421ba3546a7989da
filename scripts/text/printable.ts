/**
 * A text from elsewhere, safe to show: a cell that is quoted in a fault must not steer the terminal. What is invisible
 * or turns the direction of writing is shown as `\xNN` or `\u{NNNN}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    const digits = code.toString(16).toUpperCase();
    return code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
  });
}
