import Mustache from 'mustache';
import type { Path } from '../values/path.js';
import { checkTags, type TagOptions } from './check-tags.js';
import { findTags, type TemplateError } from './tags.js';

/** Characters. mustache.js takes a time that grows with the square of the spaces in a template's tags. */
export const MAX_TEMPLATE = 8_192;

/** A token as mustache.js produces it: kind, text or name, start, end, and the inner tokens of a section. */
export type Token = [kind: string, text: string, start: number, end: number, tokens?: Token[]];

/** A template that is parsed and valid. */
export interface CompiledTemplate {
  tokens: Token[];
  tagPaths: TagPaths;
  /** The texts of the paths that start at the payload or the item, in order, each once. */
  paths: readonly string[];
  /**
   * Those of them that are looked up whatever the payload contains: the paths of tags outside sections and of the outermost
   * sections. Of a first-of only the first, because the others are looked up only if it finds nothing.
   */
  alwaysLookedUp: readonly string[];
  /** Whether a path starts at the item, so that the result differs between the items of a split. */
  usesItem: boolean;
}

/** The paths of each tag, by the tag's name: several for a first-of, in the order in which they are tried. */
export type TagPaths = ReadonlyMap<string, readonly Path[]>;

export type TemplateResult = { template: CompiledTemplate } | { error: TemplateError };

/** Parses and checks a template. Returns the first error if it is invalid or uses something that is not supported. */
export function compileTemplate(source: string, options: TagOptions): TemplateResult {
  if (source.length > MAX_TEMPLATE) {
    const message = `the template is longer than ${MAX_TEMPLATE.toLocaleString('en-US')} characters`;
    return { error: { code: 'template_too_long', message, start: MAX_TEMPLATE } };
  }
  const { tags, error } = findTags(source);
  if (error) return { error };
  const checked = checkTags(tags, options);
  if ('error' in checked) return checked;
  return { template: describeTemplate(parser.parse(source), checked.paths) };
}

function describeTemplate(tokens: Token[], tagPaths: TagPaths): CompiledTemplate {
  const all = [...tagPaths.values()].flat();
  const outer = tokens.flatMap(([kind, name]) =>
    kind === 'text' || kind === '!' ? [] : (tagPaths.get(name)?.[0] ?? []),
  );
  const usesItem = all.some(({ root }) => root === 'item');
  return {
    tokens,
    tagPaths,
    paths: rootedTexts(all),
    alwaysLookedUp: rootedTexts(outer.filter(({ root }) => root !== 'lookup')),
    usesItem,
  };
}

/** Returns the texts of the paths that start at the payload or the item, each once. */
const rootedTexts = (paths: readonly Path[]): string[] => [
  ...new Set(paths.filter(({ root }) => root !== 'element').map(({ text }) => text)),
];

/** Caches no template, because the tokens are cached with their mapping. */
const parser = new Mustache.Writer();
Object.assign(parser, { templateCache: undefined });
