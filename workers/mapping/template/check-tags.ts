import { isMessageVariable, pathProblem, variableOf } from '../values/message-fields.js';
import { type Path, type PathOptions, parsePath } from '../values/path.js';
import type { Tag, TemplateError, TemplateErrorCode } from './tags.js';

/** How deep sections may be nested. */
const MAX_SECTIONS = 10;

export interface TagOptions extends PathOptions {
  /** Whether the mapping has a split, so that there is an `item`. */
  split: boolean;
  /**
   * Whether the template was saved earlier. Before first-ofs existed, `{{webhook.a|b}}` meant the key `a|b`, and in a saved
   * template it still does.
   */
  stored?: boolean;
}

type Paths = Map<string, readonly Path[]>;

/** Checks the names and the nesting of tags in order. Returns the paths of each tag by its name, or the first error. */
export function checkTags(
  tags: readonly Tag[],
  options: TagOptions,
): { paths: Paths } | { error: TemplateError } {
  const paths: Paths = new Map();
  const open: Tag[] = [];
  for (const tag of tags) {
    const error = tag.kind === '/' ? closeSection(open, tag) : checkName(tag, paths, open, options);
    if (error) return { error };
    if (tag.kind === '#' || tag.kind === '^') open.push(tag);
    if (open.length > MAX_SECTIONS) {
      return { error: errorAt(tag, 'too_deep', `sections are nested more than ${MAX_SECTIONS} deep`) };
    }
  }
  const left = open.at(-1);
  if (!left) return { paths };
  const message = `the section "${left.name}" is not closed; add {{/${left.name}}}`;
  return { error: errorAt(left, 'unclosed_section', message) };
}

const errorAt = ({ start }: { start: number }, code: TemplateErrorCode, message: string): TemplateError => ({
  code,
  message,
  start,
});

function closeSection(open: Tag[], tag: Tag): TemplateError | null {
  const section = open.pop();
  if (!section) return errorAt(tag, 'unopened_section', `{{/${tag.name}}} closes a section that is not open`);
  if (section.name === tag.name) return null;
  const message = `{{/${tag.name}}} does not match the open section; write {{/${section.name}}}`;
  return errorAt(tag, 'unclosed_section', message);
}

function checkName(tag: Tag, paths: Paths, open: Tag[], options: TagOptions): TemplateError | null {
  if (tag.kind === '!') return null;
  const parsed = parseAlternatives(tag, open, options);
  if (parsed.error) {
    const whole = options.stored ? parsePath(tag.name, options) : null;
    if (!whole || checkRoot(whole, tag, open, options)) return parsed.error;
    paths.set(tag.name, [whole]);
    return null;
  }
  paths.set(tag.name, parsed.paths);
  return null;
}

/** Parses the paths of a tag, up to the first error. In a first-of, the error starts at the alternative instead of the tag. */
function parseAlternatives(
  tag: Tag,
  open: Tag[],
  options: TagOptions,
): { paths: Path[]; error: TemplateError | null } {
  const alternatives = splitFirstOf(tag.name);
  const paths: Path[] = [];
  for (const alternative of alternatives) {
    const isOne = alternatives.length === 1;
    const at = isOne ? tag : { start: tag.nameStart + alternative.start };
    const path = parsePath(alternative.text, options);
    const error = path ? checkRoot(path, at, open, options) : invalidPath(alternative, at, isOne);
    if (error) return { paths, error };
    if (path) paths.push(path);
  }
  return { paths, error: null };
}

function invalidPath({ text }: Alternative, at: { start: number }, isOne: boolean): TemplateError {
  if (text === '' && !isOne)
    return errorAt(at, 'bad_path', '"|" needs a path on both sides; write {{webhook.a|webhook.b}}');
  return errorAt(at, 'bad_path', `"${text}" is not a valid path; a valid one is webhook.labels["a.b"][0]`);
}

function checkRoot(
  { root, text, keys }: Path,
  at: { start: number },
  open: Tag[],
  { split, isMessage, lookups }: TagOptions,
): TemplateError | null {
  if (root === 'lookup') {
    const problem = lookupProblem(keys[0], lookups);
    return problem === null ? null : errorAt(at, 'unknown_name', problem);
  }
  if (isMessageVariable(root)) {
    const problem = pathProblem(root, keys);
    return problem === null ? null : errorAt(at, 'unknown_name', problem);
  }
  if (root === 'item' && !split)
    return errorAt(
      at,
      'no_item',
      `"${text}" can be used only if the mapping has a split; start with webhook`,
    );
  if (root !== 'element' || open.some(({ kind }) => kind === '#')) return null;
  if (!isMessage && keys[0] === 'lookup') return errorAt(at, 'unknown_name', lookupProblem(keys[1]) ?? '');
  const message = isMessage
    ? `"${text}" does not start with alert or transition; write ${variableOf(text) ?? 'alert.custom'}.${text}`
    : `"${text}" does not start with webhook, item or request; write ${suggestTag(text)}`;
  return errorAt(at, 'unknown_name', message);
}

/** Returns why a path leads to no lookup of the mapping, or null. */
export function lookupProblem(name: string | undefined, lookups?: ReadonlySet<string>): string | null {
  if (name === undefined) return 'lookup has no value of its own; write lookup.NAME.COLUMN';
  return lookups?.has(name) ? null : `the mapping has no lookup "${name}"; add it to its lookups`;
}

/** One path of a first-of tag, and its position in the tag's name. */
interface Alternative {
  text: string;
  /** UTF-16 units from the start of the name. */
  start: number;
}

/** Matches up to the next `|` that is not inside the quotes of a bracketed key. */
const ALTERNATIVE = /(?:\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]|[^|])*/y;

/**
 * Splits the name of a tag into the paths that it tries in order: `webhook.a|webhook.b` has two, `webhook["a|b"]` has one. An
 * empty alternative is returned as an empty text, which is not a path.
 */
export function splitFirstOf(name: string): Alternative[] {
  if (!name.includes('|')) return [{ text: name, start: 0 }];
  const found: Alternative[] = [];
  for (let at = 0; at <= name.length; ) {
    ALTERNATIVE.lastIndex = at;
    const text = ALTERNATIVE.exec(name)?.[0] ?? '';
    found.push({ text: text.trim(), start: at + (text.length - text.trimStart().length) });
    at += text.length + 1;
  }
  return found;
}

/** What other template languages call the payload itself. */
const PREFIX = /^(?:req(?:uest)?\.body|\$json(?:\.body)?|\$(?:\.body)?|body|payload|json|input)\.(?=.)/;

const ROOTED = /^(?:(?:webhook|item)\b|request\.(?:method|contentType|query|headers)\b)/;

const BLOCK = /^(if|unless|each|with)\s+(\S.*)$/;

/**
 * Returns what to write instead of a name that starts with none of `webhook`, `item` and `request`. Translates the helpers of Handlebars,
 * and what other tools call the payload (`body`, `$json`).
 */
function suggestTag(text: string): string {
  const [, helper, argument] = BLOCK.exec(text) ?? [];
  if (helper && argument) {
    const path = inPayload(argument.trim());
    const mark = helper === 'unless' ? '^' : '#';
    return `{{${mark}${path}}}…{{/${path}}}, because Mustache has no {{#${helper}}}`;
  }
  if (text === 'else') return '{{^webhook.x}}…{{/webhook.x}} for the else branch';
  if (text === 'this') return '{{.}}, inside a section';
  if (text.startsWith('this.')) return `{{${text.slice('this.'.length)}}}, inside a section`;
  return inPayload(text);
}

function inPayload(text: string): string {
  if (ROOTED.test(text)) return text;
  return `webhook.${text.replace(PREFIX, '').replace(/^this\./, '')}`;
}
