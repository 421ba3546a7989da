/** A tag of a template: `kind` is its mark, `name` when it has none. */
export interface Tag {
  kind: 'name' | '#' | '^' | '/' | '!' | '&' | '{';
  name: string;
  start: number;
  /** Where the name starts in the template. */
  nameStart: number;
}

/** Characters between the braces of one tag; also keeps mustache.js quick, which is slow on spaces in a tag. */
export const MAX_TAG = 1_000;

export interface TagFault {
  code: string;
  message: string;
  start: number;
}

const MARK = /\s*([#^/!&{>=]?)/y;

/** Finds the tags of a template just as mustache.js will, and refuses those that the profile has not. */
export function findTags(source: string): { tags: Tag[]; fault: TagFault | null } {
  const tags: Tag[] = [];
  let start = source.indexOf('{{');
  while (start !== -1) {
    MARK.lastIndex = start + 2;
    const mark = MARK.exec(source)?.[1] ?? '';
    const refused = refusal(mark, start);
    if (refused) return { tags, fault: refused };
    const ending = mark === '{' ? '}}}' : '}}';
    const end = source.indexOf(ending, MARK.lastIndex);
    const fault = checkEnd(end, MARK.lastIndex, start, ending);
    if (fault) return { tags, fault };
    const inside = source.slice(MARK.lastIndex, end);
    tags.push({
      kind: (mark || 'name') as Tag['kind'],
      name: inside.trim(),
      start,
      nameStart: MARK.lastIndex + inside.length - inside.trimStart().length,
    });
    start = source.indexOf('{{', end + ending.length);
  }
  return { tags, fault: null };
}

function refusal(mark: string, start: number): TagFault | null {
  if (mark === '>') return { code: 'partial', message: 'partials ({{> }}) are not possible', start };
  if (mark === '=')
    return { code: 'delimiters', message: 'the delimiters cannot be changed ({{= }})', start };
  return null;
}

function checkEnd(end: number, from: number, start: number, ending: string): TagFault | null {
  if (end === -1) return { code: 'unclosed_tag', message: `the tag is not closed by ${ending}`, start };
  if (end - start <= MAX_TAG && from <= end) return null;
  return { code: 'tag_too_long', message: `the tag is longer than ${MAX_TAG} characters`, start };
}
