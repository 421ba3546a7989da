const text = (value: string): string => `string(${value})`;
// In a `first`, a sum has no value if one of its parts is blank.
const joined = (texts: readonly string[]): string => `first(${texts.join(' + "/" + ')}, "")`;

/** Returns a CEL expression for one part of a key, or a blank text. It has no `/`, which separates parts: JSON Pointer escapes it in the same way. Text in quotes stays as it is. */
export const part = (value: string): string =>
  value.startsWith('"') ? value : `${text(value)}.replace("~", "~0").replace("/", "~1")`;

/**
 * Returns a CEL expression for a key of several parts, all of them needed: `db-3/disk /var`. `values` are CEL expressions. Only the last part
 * keeps its `/`, so that `a/b` and `c` are another key than `a` and `b/c`.
 */
export const keyOf = (...values: readonly string[]): string =>
  joined([...values.slice(0, -1).map(part), ...values.slice(-1).map(text)]);

/** Returns a CEL expression for the key of a problem that lacks a part which others of its source have. Its last part has no `/` either. */
export const shorterKeyOf = (...values: readonly string[]): string => joined(values.map(part));
