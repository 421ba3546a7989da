import { LosslessNumber } from 'lossless-json';
import type { CompiledMapping } from '../definition/compile.js';
import { expandJson } from '../payload/expand-json.js';
import { MAX_TAG } from '../template/tags.js';
import { Budget } from '../values/budget.js';
import { isBlank, isObject, type JsonValue, KeyLists } from '../values/json-value.js';
import type { LookupResult } from '../values/looked-up.js';
import { namedEntry, splitEntries } from '../values/lookup.js';
import { formatPath } from '../values/path.js';
import { isHollow, isNothingOrBlank } from '../values/placeholder.js';
import type { EventRequest } from '../values/request.js';
import { itemsOf } from '../values/split.js';
import { ValueFormatter } from '../values/value-formatter.js';

/** A place in a payload or its request, as the console lists it next to the alert's fields. */
export interface FieldNode {
  /** The path as a tag writes it: `webhook.alerts[0].labels["a.b"]`. */
  path: string;
  type: 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';
  /** What a tag renders, up to 120 characters. */
  sample: string;
  /** Whether a tag finds a value there: false for null, blank text, and an empty list or object. */
  pickable: boolean;
  /** Whether it is a part of the request that the integration's signature does not cover. */
  unsigned?: boolean;
  /** Whether it is a part of the request whose value was not stored, because no mapping read it. */
  masked?: boolean;
}

export interface FieldTree {
  /** Depth first, each node before its content. */
  nodes: FieldNode[];
  /** Whether some places are left out. */
  truncated: boolean;
}

/** Enough for a payload of 1 MiB whose values have 50 bytes each. More would be megabytes of paths and samples in a preview. */
const MAX_NODES = 20_000;
/** Elements shown of one list. */
const MAX_ELEMENTS = 5;
/** Elements of one list whose names are shown. */
const MAX_NAMED = 100;
const MAX_SAMPLE = 120;

/**
 * Returns all paths of a payload and its request that templates can use. If the mapping has a split, the paths of the first item
 * come first. Texts in the mapping's `expandJson` are expanded. The request has a limit of its own, so a large payload does not
 * hide it.
 */
export function fieldTree(
  payload: JsonValue,
  mapping: CompiledMapping | null = null,
  request?: EventRequest,
): FieldTree {
  const expanded = expandJson(payload, mapping?.expandJson ?? []).payload;
  const tree = new TreeBuilder();
  const items = mapping?.split && itemsOf(expanded, mapping.split);
  if (items?.[0] !== undefined) tree.add('item', [], items[0]);
  tree.add('webhook', [], expanded);
  const requestTree = new TreeBuilder();
  if (request) requestTree.add('request', [], shownRequest(request));
  return {
    nodes: [...tree.nodes, ...markMasked(requestTree.nodes, request)],
    truncated: tree.truncated || requestTree.truncated,
  };
}

/** Returns the paths of the rows that lookups found. */
export function lookupNodes(lookups: Readonly<Record<string, Pick<LookupResult, 'row'>>>): FieldNode[] {
  const tree = new TreeBuilder();
  for (const [name, { row }] of Object.entries(lookups)) if (row) tree.add('lookup', [name], { ...row });
  return tree.nodes;
}

/** Returns the parts of a request that have a path. A masked value has no text. */
const shownRequest = ({ method, contentType, query, headers, masked }: EventRequest): JsonValue => ({
  method,
  contentType,
  query: { ...withoutText(masked?.query), ...query },
  headers: { ...withoutText(masked?.headers), ...headers },
});

const withoutText = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, '']));

/** Marks the places of masked values. They can be picked: once a mapping reads one, its value is kept of each new event. */
function markMasked(nodes: readonly FieldNode[], request: EventRequest | undefined): FieldNode[] {
  const { query = [], headers = [] } = request?.masked ?? {};
  const masked = new Set([
    ...query.map((name) => formatPath('request', ['query', name])),
    ...headers.map((name) => formatPath('request', ['headers', name])),
  ]);
  return nodes.map((node) => (masked.has(node.path) ? { ...node, pickable: true, masked: true } : node));
}

class TreeBuilder {
  readonly nodes: FieldNode[] = [];
  truncated = false;
  /** Shared, because each list and object is formatted again as a part of every sample around it. */
  readonly #keys = new KeyLists();

  add(root: string, keys: (string | number)[], value: JsonValue): void {
    const path = formatPath(root, keys);
    if (this.nodes.length >= MAX_NODES || path.length > MAX_TAG - 4) {
      this.truncated = true;
      return;
    }
    const sample = sampleOf(value, this.#keys);
    const pickable = sample !== '' && !isHollow(value, isNothingOrBlank, this.#keys);
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
      if (this.nodes.length >= MAX_NODES) {
        this.truncated = true;
        return;
      }
      this.add(root, [...keys, key], value);
    }
  }
}

/** Longer texts, and names with spaces, are prose. */
const MAX_ENTRIES_TEXT = 4_000;
const NAME = /^(?!\d+$)[\p{L}\p{N}_.@/-]{1,60}$/u;

/** Returns the names and values of a text such as `env:production,team:storage`, or none if it has fewer than two. */
function entriesInText(text: string): [string, JsonValue][] {
  if (text.length > MAX_ENTRIES_TEXT || !text.includes(',')) return [];
  const found = new Map<string, string>();
  for (const piece of splitEntries(text)) {
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

function sampleOf(value: JsonValue, keys: KeyLists): string {
  if (isBlank(value)) return '';
  const isContainer = isObject(value) || Array.isArray(value);
  const formatter = new ValueFormatter(new Budget(), keys);
  const text = isContainer ? formatter.start(value, MAX_SAMPLE) : formatter.format(value);
  return text.trim().slice(0, MAX_SAMPLE);
}
