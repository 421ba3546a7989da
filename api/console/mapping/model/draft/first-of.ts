import { splitFirstOf } from './split-first-of.ts';

/** A part of a template that renders the first of several paths that has a value. */
interface FirstOf {
  from: number;
  to: number;
  paths: string[];
}

const START = /\{\{#([^{}]+)\}\}\{\{\.\}\}\{\{\/\1\}\}\{\{\^\1\}\}/y;
const LAST = /\{\{([^{}#^/!&.][^{}]*)\}\}/y;
const TAG = /\{\{([^{}#^/!&][^{}]*)\}\}/y;

/**
 * Finds the parts that mean "a, or else b": `{{a|b}}`, and the sections that older mappings use for it,
 * `{{#a}}{{.}}{{/a}}{{^a}}{{b}}{{/a}}`, with any number of alternatives. Returns them in template order.
 */
export function findFirstOf(template: string): FirstOf[] {
  const found: FirstOf[] = [];
  let at = template.indexOf('{{');
  while (at !== -1) {
    const one = readFirstOf(template, at) ?? readTag(template, at);
    if (one) found.push(one);
    at = template.indexOf('{{', one ? one.to : at + 1);
  }
  return found;
}

function readTag(template: string, from: number): FirstOf | null {
  TAG.lastIndex = from;
  const tag = TAG.exec(template);
  const paths = tag ? splitFirstOf(tag[1] as string).map((path) => path.trim()) : [];
  return tag && paths.length > 1 ? { from, to: from + tag[0].length, paths } : null;
}

function readFirstOf(template: string, from: number): FirstOf | null {
  START.lastIndex = from;
  const start = START.exec(template);
  if (!start) return null;
  const path = start[1] as string;
  const inside = from + start[0].length;
  const rest = readFirstOf(template, inside) ?? readLast(template, inside);
  const end = `{{/${path}}}`;
  if (!rest || !template.startsWith(end, rest.to)) return null;
  return { from, to: rest.to + end.length, paths: [path, ...rest.paths] };
}

function readLast(template: string, from: number): FirstOf | null {
  LAST.lastIndex = from;
  const tag = LAST.exec(template);
  return tag && { from, to: from + tag[0].length, paths: [tag[1] as string] };
}
