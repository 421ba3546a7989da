/** A tag of a template. `kind` is its mark, or `name` if it has none. */
export interface Tag {
  kind: 'name' | '#' | '^' | '/' | '!' | '&' | '{';
  name: string;
  start: number;
  /** Where the name starts in the template. */
  nameStart: number;
}

/** Characters between the braces of one tag. The limit also keeps mustache.js fast, which is slow on spaces in a tag. */
export const MAX_TAG = 1_000;

export type TemplateErrorCode =
  | 'bad_path'
  | 'delimiters'
  | 'empty'
  | 'no_item'
  | 'partial'
  | 'tag_too_long'
  | 'template_too_long'
  | 'too_deep'
  | 'unclosed_section'
  | 'unclosed_tag'
  | 'unknown_name'
  | 'unopened_section';

/** An error of a template, and where it starts, in UTF-16 units. */
export interface TemplateError {
  code: TemplateErrorCode;
  message: string;
  start: number;
}

const MARK = /\s*([#^/!&{>=]?)/y;

/** Finds the tags of a template exactly as mustache.js does. Stops at the first tag that is invalid or unsupported. */
export function findTags(source: string): { tags: Tag[]; error: TemplateError | null } {
  const tags: Tag[] = [];
  let start = source.indexOf('{{');
  while (start !== -1) {
    MARK.lastIndex = start + 2;
    const mark = MARK.exec(source)?.[1] ?? '';
    const ending = mark === '{' ? '}}}' : '}}';
    const end = source.indexOf(ending, MARK.lastIndex);
    const error = checkMark(mark, start) ?? checkEnd(end, MARK.lastIndex, start, ending);
    if (error) return { tags, error };
    const inside = source.slice(MARK.lastIndex, end);
    tags.push({
      kind: (mark || 'name') as Tag['kind'],
      name: inside.trim(),
      start,
      nameStart: MARK.lastIndex + inside.length - inside.trimStart().length,
    });
    start = source.indexOf('{{', end + ending.length);
  }
  return { tags, error: null };
}

function checkMark(mark: string, start: number): TemplateError | null {
  if (mark === '>') return { code: 'partial', message: 'partials ({{> }}) are not supported', start };
  if (mark === '=')
    return { code: 'delimiters', message: 'changing the delimiters ({{= }}) is not supported', start };
  return null;
}

function checkEnd(end: number, from: number, start: number, ending: string): TemplateError | null {
  if (end === -1) return { code: 'unclosed_tag', message: `the tag is not closed; add ${ending}`, start };
  if (end - start <= MAX_TAG && from <= end) return null;
  return {
    code: 'tag_too_long',
    message: `the tag is longer than ${MAX_TAG.toLocaleString('en-US')} characters`,
    start,
  };
}
