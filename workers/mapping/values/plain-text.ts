/** Matches the control sequences with which programs color a terminal, and set its title. */
const ANSI =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they start with a control character
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\^_]/g;

const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * Returns a text without colors of a terminal, and with the entities of HTML decoded once: an alert is plain text. Only entities
 * that programs write for special characters are decoded, and none without its semicolon, so addresses with `&copy=1` stay.
 */
export const toPlainText = (text: string): string => text.replace(ANSI, '').replace(ENTITY, decode);

function decode(entity: string, name?: string, decimal?: string, hex = ''): string {
  if (name !== undefined) return NAMED[name] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  return isText(code) ? String.fromCodePoint(code) : entity;
}

/** Whether a character may be part of a text: not a control character, except for tabs and line breaks, nor half of a pair. */
const isText = (code: number): boolean =>
  code === 0x09 ||
  code === 0x0a ||
  code === 0x0d ||
  (code >= 0x20 && code < 0x7f) ||
  (code >= 0xa0 && code < 0xd800) ||
  (code >= 0xe000 && code <= 0x10ffff);
