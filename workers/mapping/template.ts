import Mustache from 'mustache';
import { type Path, parsePath } from './path.js';
import { type Position, positionAt } from './position.js';
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
  /** Every name in it, by what the tag says. */
  names: ReadonlyMap<string, Path>;
  /** Those that lead into the payload or the item, in order, each once. */
  paths: readonly string[];
  /** Those of them outside of any section, and of the outermost sections: they are looked up whatever the payload. */
  outer: readonly string[];
  /** Whether it says something else for each item of a split. */
  ofItem: boolean;
}

export type TemplateFault = { code: string; message: string } & Position;

export type CompiledOrFault = { template: CompiledTemplate } | { fault: TemplateFault };

/**
 * Parses a template and refuses what the profile has not: partials, changed delimiters, tags that are no path, sections
 * too deep, names that could never be found. `split` tells whether there is an `item`.
 */
export function compileTemplate(source: string, split: boolean): CompiledOrFault {
  const fault = (code: string, message: string, offset: number): CompiledOrFault => ({
    fault: { code, message, ...positionAt(source, offset) },
  });
  if (source.length > MAX_TEMPLATE) {
    return fault('template_too_long', `longer than ${MAX_TEMPLATE} characters`, MAX_TEMPLATE);
  }
  const { tags, fault: bad } = findTags(source);
  if (bad) return fault(bad.code, bad.message, bad.start);
  const names = new Map<string, Path>();
  const wrong = checkTags(tags, names, split);
  if (wrong) return fault(wrong.code, wrong.message, wrong.start);
  const tokens = writer.parse(source) as Token[];
  const rooted = [...names].filter(([, { root }]) => root !== 'element').map(([name]) => name);
  const outer = new Set(tokens.map(([, name]) => name));
  const ofItem = [...names.values()].some(({ root }) => root === 'item');
  return {
    template: { tokens, names, paths: rooted, outer: rooted.filter((name) => outer.has(name)), ofItem },
  };
}

/** Keeps no template: the tokens are kept with their mapping. */
const writer = new Mustache.Writer();
Object.assign(writer, { templateCache: undefined });

type BadTag = { code: string; message: string; start: number };

/** Checks names and nesting, tag by tag; the names go into `names`. */
function checkTags(tags: Tag[], names: Map<string, Path>, split: boolean): BadTag | null {
  const open: Tag[] = [];
  for (const tag of tags) {
    const wrong = tag.kind === '/' ? close(open, tag) : checkName(tag, names, open, split);
    if (wrong) return { ...wrong, start: tag.start };
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

type Wrong = { code: string; message: string } | null;

function close(open: Tag[], tag: Tag): Wrong {
  const section = open.pop();
  if (!section)
    return { code: 'unopened_section', message: `"${tag.name}" closes a section that is not open` };
  if (section.name === tag.name) return null;
  return { code: 'unclosed_section', message: `"${tag.name}" closes the section "${section.name}"` };
}

function checkName(tag: Tag, names: Map<string, Path>, open: Tag[], split: boolean): Wrong {
  if (tag.kind === '!') return null;
  const path = parsePath(tag.name);
  if (!path) return { code: 'bad_path', message: `"${tag.name}" is no path, say webhook.labels["a.b"][0]` };
  names.set(tag.name, path);
  return checkRoot(path, open, split);
}

function checkRoot({ root, text }: Path, open: Tag[], split: boolean): Wrong {
  if (root === 'item' && !split)
    return { code: 'no_item', message: `"${text}" needs a split; there is no item` };
  if (root !== 'element' || open.some(({ kind }) => kind === '#')) return null;
  return {
    code: 'unknown_name',
    message: `"${text}" starts with neither webhook nor item; say webhook.${text}`,
  };
}
