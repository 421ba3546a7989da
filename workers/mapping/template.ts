import Mustache from 'mustache';
import { nearestPath, parsePath, valueAt } from './path.js';

/** What a template is rendered over. */
export interface Scope {
  webhook: unknown;
  item?: unknown;
}

/** A template's text over one payload, and which of its tags found nothing. */
export interface Rendered {
  text: string;
  missing: readonly { path: string; nearest: string | null }[];
}

type Part = string | { path: string; steps: string[] };

/** A template, read once and rendered often. */
export interface Template {
  paths: string[];
  render(scope: Scope): Rendered;
}

/** A template that cannot be used: its message says why. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
}

/** Reads a template of text and `{{path}}` tags. @throws TemplateFault */
export function compileTemplate(source: string): Template {
  const parts = parse(source).map(toPart);
  const paths = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path]));
  return { paths, render: (scope) => render(parts, scope) };
}

type Token = [type: string, value: string, ...unknown[]];

function parse(source: string): Token[] {
  try {
    return new Mustache.Writer().parse(source) as unknown as Token[];
  } catch (error) {
    throw new TemplateFault((error as Error).message);
  }
}

function toPart([type, value]: Token): Part {
  if (type === 'text') return value;
  if (type !== 'name' && type !== '&' && type !== '{') {
    throw new TemplateFault(`a tag of the kind {{${type}${value}}} is not taken here`);
  }
  return { path: value, steps: parsePath(value) };
}

const NONE: Rendered['missing'] = [];

function render(parts: readonly Part[], scope: Scope): Rendered {
  let missing = NONE;
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      const found = toText(valueAt(scope, part.steps));
      if (found === '') {
        missing = [...missing, { path: part.path, nearest: nearestPath(scope, part.steps) }];
      }
      text += found;
    }
  }
  return { text, missing };
}

/** Null, absent and blank are nothing; `0` and `false` are something; objects and arrays are their JSON. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim() === '' ? '' : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
