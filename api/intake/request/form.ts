const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** How JSON starts. Many clients, such as `curl -d`, send JSON with the type of a form. */
const JSON_START = /^[\s\uFEFF]*[[{"]/;

/** Returns whether a body that is not valid JSON is a form. Broken JSON that is sent with the type of a form is not one. */
export const isForm = (contentType: string | undefined, text: string): boolean =>
  contentType !== undefined && FORM_TYPE.test(contentType) && text.includes('=') && !JSON_START.test(text);

/**
 * Returns the JSON text of a form. A form with a single field that holds a JSON object or list is that JSON: GitHub, Slack and
 * Travis CI send `payload={…}`. Any other form becomes an object of texts; a repeated field becomes a list of texts.
 */
export function formJson(text: string): string {
  const fields = new Map<string, string[]>();
  for (const pair of text.trim().split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const [name, value] = end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
    const values = fields.get(decode(name));
    if (values) values.push(decode(value));
    else fields.set(decode(name), [decode(value)]);
  }
  return embeddedJson(fields) ?? asObject(fields);
}

function embeddedJson(fields: ReadonlyMap<string, string[]>): string | null {
  const [values, ...others] = fields.values();
  if (others.length > 0 || values?.length !== 1) return null;
  const [value] = values as [string];
  return /^\s*[[{]/.test(value) && isJson(value) ? value : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes the object member by member, so that `__proto__` is a name like any other. */
function asObject(fields: ReadonlyMap<string, string[]>): string {
  const members = [...fields].map(
    ([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`,
  );
  return `{${members.join(',')}}`;
}

/** Decodes a name or a value. Escapes that are not UTF-8 are Latin-1, and a `%` that escapes nothing stays. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
