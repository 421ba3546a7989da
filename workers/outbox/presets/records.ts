/** Returns texts by name. Lone surrogates, which many parsers of JSON reject, are replaced. */
export const wellFormed = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.toWellFormed(), text.toWellFormed()]));

/** Returns texts by name without empty ones, well-formed. */
export const withoutEmpty = (texts: Record<string, string | null>): Record<string, string> =>
  wellFormed(
    Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text]] : []))),
  );
