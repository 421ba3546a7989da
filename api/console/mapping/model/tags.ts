/** A tag of a template, its mark with the braces, its name, its end. */
const TAG = /(\{\{\{?\s*[#^/&]?\s*)([^{}]*?)(\s*\}\}\}?)/g;

export const tagOf = (path: string): string => `{{${path}}}`;

/** A path put into a template: as it is into an empty one, behind what is there with a space between. */
export function appendTag(template: string, path: string): string {
  const before = template.trimEnd();
  return before === '' ? tagOf(path) : `${before} ${tagOf(path)}`;
}

/** The names in a template's tags, comments left out, each once. */
export function namesIn(template: string): string[] {
  return [...new Set([...template.matchAll(TAG)].flatMap(([, , name = '']) => keptName(name)))];
}

const keptName = (name: string): string[] => (name === '' || name.startsWith('!') ? [] : [name]);

/** The template with each name in a tag replaced by what `change` makes of it. */
export const renameTags = (template: string, change: (name: string) => string): string =>
  template.replace(TAG, (_, open: string, name: string, end: string) => open + change(name) + end);

/** One path in place of another, in all tags that say exactly it. */
export const replacePath = (template: string, path: string, by: string): string =>
  renameTags(template, (name) => (name === path ? by : name));
