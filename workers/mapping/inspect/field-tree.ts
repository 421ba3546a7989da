import { LosslessNumber } from 'lossless-json';
import type { CompiledMapping } from '../definition/compile.js';
import { expandJson } from '../payload/expand-json.js';
import { MAX_TAG } from '../template/tags.js';
import { Budget } from '../values/budget.js';
import { isBlank, isObject, type JsonValue, KeyLists } from '../values/json-value.js';
import { followAlone } from '../values/lookup.js';
import { listedEntries, namedEntry } from '../values/named-entries.js';
import { formatPath } from '../values/path.js';
import { ValueFormatter } from '../values/value-formatter.js';

/** A place in a payload, as the console shows it beside the alert's fields. */
export interface FieldNode {
  /** What a tag says to get it: `webhook.alerts[0].labels["a.b"]`. */
  path: string;
  type: 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';
  /** What a tag renders, at most 120 characters of it. */
  sample: string;
  /** Whether a tag finds something there: not where it is null, blank or empty. */
  pickable: boolean;
}

export interface FieldTree {
  /** Depth first, each before what is in it. */
  nodes: FieldNode[];
  /** Whether there is more than is shown. */
  truncated: boolean;
}

const MAX_NODES = 2_000;
/** Elements shown of one list. */
const MAX_ELEMENTS = 5;
const MAX_NAMED = 100;
const SAMPLE = 120;

/**
 * All paths of a payload that templates can say. With a mapping that splits, those of the first item come first; texts
 * that it expands are taken apart.
 */
export function fieldTree(payload: JsonValue, mapping: CompiledMapping | null = null): FieldTree {
  const expanded = expandJson(payload, mapping?.expandJson ?? []).payload;
  const tree = new TreeMaker();
  const items = mapping?.split && followAlone(expanded, mapping.split.keys);
  if (Array.isArray(items) && items[0] !== undefined) tree.add('item', [], items[0]);
  tree.add('webhook', [], expanded);
  return { nodes: tree.nodes, truncated: tree.truncated };
}

class TreeMaker {
  readonly nodes: FieldNode[] = [];
  truncated = false;
  /** Shared: each list and object is looked into once for each that it lies in. */
  readonly #keys = new KeyLists();

  add(root: string, keys: (string | number)[], value: JsonValue): void {
    const path = formatPath(root, keys);
    if (this.nodes.length >= MAX_NODES || path.length > MAX_TAG - 4) {
      this.truncated = true;
      return;
    }
    const sample = sampleOf(value, this.#keys);
    const pickable = sample !== '' && !isEmptyHolder(value);
    this.nodes.push({ path, type: typeOf(value), sample, pickable });
    if (Array.isArray(value)) this.#addList(root, keys, value);
    else if (isObject(value)) this.#addEntries(root, keys, Object.entries(value));
    else if (typeof value === 'string') this.#addEntries(root, keys, entriesInText(value));
  }

  #addList(root: string, keys: (string | number)[], list: JsonValue[]): void {
    const named = new Map<string, JsonValue>();
    for (const entry of list.slice(0, MAX_NAMED).map(namedEntry)) {
      if (entry && !/^\d+$/.test(entry[0]) && !named.has(entry[0])) named.set(...entry);
    }
    this.#addEntries(root, keys, [...named]);
    if (list.length > MAX_ELEMENTS) this.truncated = true;
    for (const [index, element] of list.slice(0, MAX_ELEMENTS).entries())
      this.add(root, [...keys, index], element);
  }

  #addEntries(root: string, keys: (string | number)[], entries: [string, JsonValue][]): void {
    for (const [key, value] of entries) {
      if (this.nodes.length >= MAX_NODES) this.truncated = true;
      if (this.truncated && this.nodes.length >= MAX_NODES) return;
      this.add(root, [...keys, key], value);
    }
  }
}

/** Longer texts, and names with spaces, are prose. */
const LONGEST_LISTED = 4_000;
const NAME = /^(?!\d+$)[\p{L}\p{N}_.@/-]{1,60}$/u;

/** The names and values of a text such as `env:production,team:storage`; none if there are fewer than two. */
function entriesInText(text: string): [string, JsonValue][] {
  if (text.length > LONGEST_LISTED || !text.includes(',')) return [];
  const found = new Map<string, string>();
  for (const piece of listedEntries(text)) {
    const [name = '', value] = namedEntry(piece) ?? [];
    const key = name.trimEnd();
    if (NAME.test(key) && !found.has(key) && typeof value === 'string') found.set(key, value.trim());
  }
  return found.size < 2 ? [] : [...found];
}

function typeOf(value: JsonValue): FieldNode['type'] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof LosslessNumber || typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

function isEmptyHolder(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function sampleOf(value: JsonValue, keys: KeyLists): string {
  if (isBlank(value)) return '';
  const text = new ValueFormatter(new Budget(), keys).toText(value);
  return (isObject(value) || Array.isArray(value) ? text : text.trim()).slice(0, SAMPLE);
}
