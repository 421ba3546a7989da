import Mustache from 'mustache';
import { type Path, parsePath } from '../values/path.js';
import { type Alternative, splitFirstOf } from './first-of.js';
import { type Position, positionAt } from './position.js';
import { suggestTag } from './suggest-tag.js';
import { findTags, type Tag } from './tags.js';

/** Sections inside each other. */
export const MAX_SECTIONS = 10;

/** Characters; mustache.js reads a template in a time that grows with the square of its tags' spaces. */
export const MAX_TEMPLATE = 8_192;

/** A token as mustache.js makes it: kind, text or name, start, end, and for a section its tokens. */
export type Token = [kind: string, text: string, start: number, end: number, tokens?: Token[]];

/** A template that was parsed and found to keep to the profile. */
export interface CompiledTemplate {
  tokens: Token[];
  /** The paths of each tag, by the tag's name: several for a first-of, in the order in which they are tried. */
  names: TagPaths;
  /** The paths that lead into the payload or the item, in order, each once. */
  paths: readonly string[];
  /**
   * The paths that are looked up whatever the payload contains: those of tags outside sections and of the outermost sections. Of
   * a first-of only the first, because the others are looked up only when it finds nothing.
   */
  outer: readonly string[];
  /** Whether it says something else for each item of a split. */
  ofItem: boolean;
}

export type TagPaths = ReadonlyMap<string, readonly Path[]>;

export type TemplateFault = { code: string; message: string } & Position;

export type CompiledOrFault = { template: CompiledTemplate } | { fault: TemplateFault };

export interface TemplateOptions {
  /** Whether there is an `item`. */
  split: boolean;
  /** Whether it was saved earlier. `{{webhook.a|b}}` was the key `a|b` before there were first-ofs, and still is. */
  stored?: boolean;
}

/**
 * Parses a template and refuses what the profile has not: partials, changed delimiters, tags that are no path, sections
 * too deep, names that could never be found.
 */
export function compileTemplate(source: string, options: TemplateOptions): CompiledOrFault {
  const fault = (code: string, message: string, offset: number): CompiledOrFault => ({
    fault: { code, message, ...positionAt(source, offset) },
  });
  if (source.length > MAX_TEMPLATE) {
    return fault('template_too_long', `longer than ${MAX_TEMPLATE} characters`, MAX_TEMPLATE);
  }
  const { tags, fault: bad } = findTags(source);
  if (bad) return fault(bad.code, bad.message, bad.start);
  const names = new Map<string, readonly Path[]>();
  const wrong = checkTags(tags, names, options);
  if (wrong) return fault(wrong.code, wrong.message, wrong.start);
  const tokens = writer.parse(source) as Token[];
  const all = [...names.values()].flat();
  const outer = tokens.flatMap(([kind, name]) =>
    kind === 'text' || kind === '!' ? [] : (names.get(name)?.[0] ?? []),
  );
  const ofItem = all.some(({ root }) => root === 'item');
  return { template: { tokens, names, paths: rootedTexts(all), outer: rootedTexts(outer), ofItem } };
}

/** The texts of the paths that start at the payload or the item, each once. */
const rootedTexts = (paths: readonly Path[]): string[] => [
  ...new Set(paths.filter(({ root }) => root !== 'element').map(({ text }) => text)),
];

/** Keeps no template: the tokens are kept with their mapping. */
const writer = new Mustache.Writer();
Object.assign(writer, { templateCache: undefined });

type BadTag = { code: string; message: string; start: number };

/** Checks names and nesting, tag by tag; the paths of each tag go into `names`. */
function checkTags(
  tags: Tag[],
  names: Map<string, readonly Path[]>,
  options: TemplateOptions,
): BadTag | null {
  const open: Tag[] = [];
  for (const tag of tags) {
    const wrong = tag.kind === '/' ? close(open, tag) : checkName(tag, names, open, options);
    if (wrong) return { start: tag.start, ...wrong };
    if (tag.kind === '#' || tag.kind === '^') open.push(tag);
    if (open.length > MAX_SECTIONS) {
      return {
        code: 'too_deep',
        message: `more than ${MAX_SECTIONS} sections inside each other`,
        start: tag.start,
      };
    }
  }
  const left = open.at(-1);
  if (!left) return null;
  return { code: 'unclosed_section', message: `the section "${left.name}" is not closed`, start: left.start };
}

/** `start` is set where the fault is in one path of a tag, not in the tag. */
type Wrong = { code: string; message: string; start?: number } | null;

function close(open: Tag[], tag: Tag): Wrong {
  const section = open.pop();
  if (!section)
    return { code: 'unopened_section', message: `"${tag.name}" closes a section that is not open` };
  if (section.name === tag.name) return null;
  return { code: 'unclosed_section', message: `"${tag.name}" closes the section "${section.name}"` };
}

function checkName(
  tag: Tag,
  names: Map<string, readonly Path[]>,
  open: Tag[],
  options: TemplateOptions,
): Wrong {
  if (tag.kind === '!') return null;
  const { paths, wrong } = readPaths(tag, splitFirstOf(tag.name), open, options.split);
  const asBefore = wrong && options.stored ? parsePath(tag.name) : null;
  if (wrong && (!asBefore || checkRoot(asBefore, open, options.split))) return wrong;
  names.set(tag.name, asBefore ? [asBefore] : paths);
  return null;
}

/** Returns the paths of a tag up to the first that is wrong. */
function readPaths(
  tag: Tag,
  alternatives: Alternative[],
  open: Tag[],
  split: boolean,
): { paths: Path[]; wrong: Wrong } {
  const paths: Path[] = [];
  for (const alternative of alternatives) {
    const path = parsePath(alternative.text);
    const wrong = path ? checkRoot(path, open, split) : badPath(alternative, alternatives.length);
    const start = tag.nameStart + alternative.start;
    if (wrong) return { paths, wrong: alternatives.length > 1 ? { ...wrong, start } : wrong };
    if (path) paths.push(path);
  }
  return { paths, wrong: null };
}

function badPath({ text }: Alternative, count: number): Wrong {
  if (text === '' && count > 1)
    return { code: 'bad_path', message: 'a path is missing beside "|"; write {{webhook.a|webhook.b}}' };
  return { code: 'bad_path', message: `"${text}" is not a path; write webhook.labels["a.b"][0]` };
}

function checkRoot({ root, text }: Path, open: Tag[], split: boolean): Wrong {
  if (root === 'item' && !split)
    return { code: 'no_item', message: `"${text}" needs a split; without one there is no item` };
  if (root !== 'element' || open.some(({ kind }) => kind === '#')) return null;
  return {
    code: 'unknown_name',
    message: `"${text}" starts with neither webhook nor item; write ${suggestTag(text)}`,
  };
}
