import { splitFirstOf } from './split-first-of.ts';

/** A tag of a template: its opening braces, its mark and name, its closing braces. */
const TAG = /(\{\{\{?)([^{}]*)(\}\}\}?)/g;
const MARK = /^\s*[#^/&]?\s*/;

export const tagOf = (path: string): string => `{{${path}}}`;

/** Appends a text to a template or expression, after a space if that is not empty. */
export const append = (source: string, text: string): string => `${source.trimEnd()} ${text}`.trimStart();

/**
 * Inserts a tag into a template, or a path into an expression, at the cursor. Without a cursor, and with one at the end, appends it. A
 * cursor inside a tag counts as one after the tag.
 */
export function insertAt(source: string, text: string, cursor: number | undefined): string {
  const at = cursor === undefined ? source.length : afterTag(source, cursor);
  if (at >= source.trimEnd().length) return append(source, text);
  const [before, after] = [source.slice(0, at), source.slice(at)];
  const isApart = !ENDS_NAME.test(before) || !STARTS_NAME.test(text);
  const endsApart = !ENDS_NAME.test(text) || !STARTS_NAME.test(after);
  return `${before}${isApart ? '' : ' '}${text}${endsApart ? '' : ' '}${after}`;
}

/** Returns whether what is inserted at the cursor goes to the end of a text. Without a cursor in the text, it does. */
export function isAppended(source: string, cursor: number | undefined): boolean {
  const { length } = source.trimEnd();
  return length > 0 && (cursor ?? length) >= length;
}

/**
 * Returns the part of a template that a dropped field should replace: the tag that is not closed, or the only tag that finds nothing.
 * Null if there is none.
 */
export function brokenTag(template: string, missing: readonly string[]): string | null {
  const open = template.lastIndexOf('{{');
  if (open !== -1 && !template.includes('}', open)) return template.slice(open);
  const broken = [...template.matchAll(TAG)].map(([tag]) => tag).filter((tag) => isOnly(tag, missing));
  return broken.length === 1 ? (broken[0] as string) : null;
}

/** Returns whether a tag outside sections names one path, and that path is missing. */
const isOnly = (tag: string, missing: readonly string[]): boolean =>
  missing.includes(tag.replaceAll('{', '').replaceAll('}', '').trim());

const ENDS_NAME = /[\w\])"']$/;
const STARTS_NAME = /^[\w"']/;

function afterTag(source: string, cursor: number): number {
  const tags = [...source.matchAll(TAG)];
  const around = tags.find(({ index, 0: tag }) => index < cursor && cursor < index + tag.length);
  return around ? around.index + around[0].length : cursor;
}

/** Returns the paths in a template's tags, without comments, each once. A first-of has several. */
export function namesIn(template: string): string[] {
  return [
    ...new Set([...template.matchAll(TAG)].flatMap(([, , inner = '']) => pathsIn(inner.replace(MARK, '')))),
  ];
}

const pathsIn = (name: string): string[] =>
  name === '' || name.startsWith('!') ? [] : splitFirstOf(name).map((path) => path.trim());

/** Returns the template with each path in a tag replaced by the result of `change`. */
export const renameTags = (template: string, change: (path: string) => string): string =>
  template.replace(TAG, (_, open: string, inner: string, end: string) => {
    const mark = MARK.exec(inner)?.[0] ?? '';
    return open + mark + changeEach(inner.slice(mark.length), change) + end;
  });

/** The spaces around a path stay. */
const changeEach = (name: string, change: (path: string) => string): string =>
  splitFirstOf(name)
    .map((piece) => piece.replace(/\S(?:.*\S)?/s, (path) => change(path)))
    .join('|');

/** Replaces one path by another in all tags that name exactly this path. */
export const replacePath = (template: string, path: string, by: string): string =>
  renameTags(template, (name) => (name === path ? by : name));
