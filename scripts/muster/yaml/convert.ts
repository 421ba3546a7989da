import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { type JsonValue, parsePayload } from '../../../workers/mapping/index.js';

/** Values of a file, with those of aliases as often as they are used. */
const MAX_VALUES = 500_000;
/** A payload may have 64 levels, and is a few levels deep in its file. */
const MAX_DEPTH = 80;
const MAX_ERRORS = 20;

export interface Conversion {
  value: JsonValue;
  /** What each alias stands for. */
  targets: Map<Alias, Node>;
  errors: { offset: number; message: string }[];
}

/** Returns the value of a node as JSON has it. Aliases share theirs. Finds what YAML allows and JSON does not, and repeated names. */
export function convert(root: Node | null, numbers: 'exact' | 'plain'): Conversion {
  const converter = new Converter(numbers);
  const value = converter.valueOf(root, 0).value;
  return { value, targets: converter.targets, errors: converter.errors };
}

interface Converted {
  value: JsonValue;
  /** How many values it consists of. */
  size: number;
}

class Converter {
  readonly targets: Conversion['targets'] = new Map();
  readonly errors: Conversion['errors'] = [];
  readonly #numbers: 'exact' | 'plain';
  /** Null while what the anchor is of is being converted. */
  readonly #anchors = new Map<string, { node: Node; converted: Converted | null }>();
  #size = 0;
  #inPayload = false;
  #isTooLarge = false;

  constructor(numbers: 'exact' | 'plain') {
    this.#numbers = numbers;
  }

  valueOf(node: Node | null, depth: number): Converted {
    if (this.#isTooLarge || node === null) return NOTHING;
    this.#size += 1;
    if (isAlias(node)) return this.#ofAlias(node, depth);
    if (this.#size > MAX_VALUES) return this.#stop(node);
    if (depth > MAX_DEPTH) return this.#fail(node, `is nested more than ${MAX_DEPTH} levels deep`);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, { node, converted: null });
    const converted = this.#ofNode(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, { node, converted });
    return converted;
  }

  #ofAlias(alias: Alias, depth: number): Converted {
    const target = this.#anchors.get(alias.source);
    if (!target) return this.#fail(alias, `there is no anchor ${alias.source} before this alias`);
    if (!target.converted) return this.#fail(alias, 'must not contain itself');
    this.targets.set(alias, target.node);
    this.#size += target.converted.size;
    if (this.#size > MAX_VALUES) return this.#stop(alias);
    return depth > MAX_DEPTH ? this.#fail(alias, 'is nested too deeply') : target.converted;
  }

  #ofNode(node: Node, depth: number): Converted {
    if (isScalar(node)) return { value: this.#ofScalar(node), size: 1 };
    if (isSeq<Node | null>(node)) {
      const items = node.items.map((item) => this.valueOf(item, depth + 1));
      return { value: items.map(({ value }) => value), size: sizeOf(items) };
    }
    return isMap<Node, Node | null>(node) ? this.#ofMap(node, depth) : this.#fail(node, 'is not JSON');
  }

  #ofMap(map: YAMLMap<Node, Node | null>, depth: number): Converted {
    const members = new Map<string, JsonValue>();
    const all: Converted[] = [];
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : null;
      if (name === null) this.#fail(key, 'a name must be a text');
      else if (members.has(name)) this.#fail(key, `the name ${JSON.stringify(name)} is there twice`);
      // Checks of records leave it out, and nothing that was written may be lost.
      else if (name === '__proto__' && !this.#inPayload) this.#fail(key, 'a name must not be __proto__');
      const converted = this.#ofMember(name, value, depth + 1);
      all.push(converted);
      if (name !== null) members.set(name, converted.value);
    }
    // Also defines `__proto__` as a member, as `JSON.parse` does.
    return { value: Object.fromEntries(members), size: sizeOf(all) };
  }

  #ofMember(name: string | null, value: Node | null, depth: number): Converted {
    const before = this.#inPayload;
    this.#inPayload ||= this.#numbers === 'exact' && name === 'payload';
    const converted = this.valueOf(value, depth);
    this.#inPayload = before;
    return converted;
  }

  #ofScalar(node: Scalar): JsonValue {
    const { value } = node;
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value !== 'number') return this.#fail(node, 'is not JSON').value;
    const exact = this.#numbers === 'exact' ? parsePayload(node.source ?? '') : { value };
    if ('value' in exact && (this.#numbers === 'exact' || Number.isFinite(value))) return exact.value;
    if (Number.isFinite(value)) return value;
    return this.#fail(node, `${node.source} is not a number of JSON. If it is a text, write it in quotes`)
      .value;
  }

  #stop(node: Node): Converted {
    this.#isTooLarge = true;
    return this.#fail(
      node,
      `the file has more than ${MAX_VALUES.toLocaleString('en-US')} values, with those of its aliases`,
    );
  }

  #fail({ range }: Pick<Node, 'range'>, message: string): Converted {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ offset: range?.[0] ?? 0, message });
    return NOTHING;
  }
}

const NOTHING: Converted = { value: null, size: 1 };
const sizeOf = (parts: readonly Converted[]): number => parts.reduce((sum, { size }) => sum + size, 1);
