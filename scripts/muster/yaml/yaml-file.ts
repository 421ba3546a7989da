import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type ScalarTag,
  type Tags,
} from 'yaml';
import type { JsonValue } from '../../../workers/mapping/index.js';
import { type Finding, type Place, START } from '../finding.js';
import { type Conversion, convert } from './convert.js';

/** Errors of syntax that are reported of a file: one often causes the next. */
const MAX_ERRORS = 5;

const TOO_DEEP = 'is nested too deeply';
/** In place of the parser's messages that are about its own use. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'has several documents. Write each into a file of its own',
  NON_STRING_KEY: 'a name must be a text',
};

/** The path to a value in a file: names and indexes. */
export type ValuePath = readonly PropertyKey[];

/** A file of YAML 1.2, or of JSON, which is YAML. Knows where each value is. */
export class YamlFile {
  readonly path: string;
  readonly text: string;
  /** Null if there are errors. */
  readonly value: JsonValue;
  readonly findings: readonly Finding[];
  /** Null if the text could not be parsed at all. */
  readonly document: Document.Parsed<ParsedNode> | null;
  readonly #lines = new LineCounter();
  readonly #targets: Conversion['targets'];

  /**
   * @param numbers `exact`: numbers keep their digits, as those of a payload do; `plain`: they are JavaScript's
   */
  constructor(path: string, text: string, numbers: 'exact' | 'plain') {
    this.path = path;
    this.text = text;
    const parsed = parse(text, this.#lines);
    if ('message' in parsed) {
      this.document = null;
      this.value = null;
      this.#targets = new Map();
      this.findings = [this.findingAt(START, parsed.message)];
      return;
    }
    this.document = parsed.document;
    const { errors, warnings, directives, contents } = parsed.document;
    const isTooDeep = errors.some(({ message }) => /call stack/.test(message));
    const syntax = [...errors, ...warnings]
      .slice(0, isTooDeep ? 1 : MAX_ERRORS)
      .map(({ code, message, pos: [offset] }) =>
        this.findingAt(this.#placeOf(offset), isTooDeep ? TOO_DEEP : (MESSAGES[code] ?? lowerFirst(message))),
      );
    if (directives.yaml.version !== '1.2')
      syntax.push(this.findingAt(START, `must be YAML 1.2, not ${directives.yaml.version}`));
    if (syntax.length > 0) {
      this.value = null;
      this.#targets = new Map();
      this.findings = syntax;
      return;
    }
    const { value, targets, errors: problems } = convert(contents, numbers);
    this.#targets = targets;
    this.value = problems.length > 0 ? null : value;
    this.findings = problems.map(({ offset, message }) => this.findingAt(this.#placeOf(offset), message));
  }

  /** Returns where a value is, or of a missing one, where it would be; with `key`, where its name is. */
  placeOf(path: ValuePath, at: 'key' | 'value' = 'value'): Place {
    const { node, key } = this.#find(path);
    return this.#placeOf((at === 'key' ? (key ?? node) : node)?.range?.[0] ?? 0);
  }

  /** Returns where a line and a column of a text are that is a value. Of a text that is folded or escaped, where it starts. */
  placeInText(path: ValuePath, { line, column }: Place): Place {
    const { node } = this.#find(path);
    const start = this.placeOf(path);
    if (!isScalar(node) || !node.range) return start;
    const source = this.text.slice(node.range[0], node.range[1]);
    if (node.type === 'BLOCK_LITERAL') {
      const lines = source.split('\n').slice(1);
      const indent = Math.min(...lines.filter((text) => text.trim() !== '').map(indentOf));
      const hint = /^\|[+-]?([1-9])/.exec(source);
      return {
        line: start.line + line,
        column: column + (hint ? start.column - 1 : Number.isFinite(indent) ? indent : 0),
      };
    }
    const quoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
    const isAsWritten =
      line === 1 && source === (quoted ? `${source[0]}${node.value}${source[0]}` : node.value);
    return isAsWritten ? { line: start.line, column: start.column + column - (quoted ? 0 : 1) } : start;
  }

  /** Returns the longest part of a path with dots, such as `fields.title.template`, that leads to a value. */
  pathOf(text: string): string[] {
    const path: string[] = [];
    let rest = text === '' ? [] : text.split('.');
    while (rest.length > 0) {
      // A name may contain dots itself.
      const count =
        rest.findIndex((_, index) => this.#has([...path, rest.slice(0, index + 1).join('.')])) + 1;
      if (count === 0) break;
      path.push(rest.slice(0, count).join('.'));
      rest = rest.slice(count);
    }
    return path;
  }

  findingAt(place: Place, message: string, more: Partial<Finding> = {}): Finding {
    return { level: 'error', code: 'invalid_yaml', file: this.path, ...place, message, ...more };
  }

  #placeOf(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return line === 0 ? START : { line, column: col };
  }

  #has = (path: ValuePath): boolean => this.#find(path).depth === path.length;

  /** Returns the node of a path, or the deepest one on the way to it. */
  #find(path: ValuePath): { node: Node | null; key: Node | null; depth: number } {
    let node: Node | null = this.document?.contents ?? null;
    let key: Node | null = null;
    for (const [depth, name] of path.entries()) {
      const inside: Node | null = isAlias(node) ? (this.#targets.get(node) ?? null) : node;
      const next = memberOf(inside, name);
      if (!next) return { node, key, depth };
      node = next.node ?? next.key;
      key = next.key;
    }
    return { node, key, depth: path.length };
  }
}

function memberOf(node: Node | null, name: PropertyKey): { node: Node | null; key: Node | null } | null {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(name));
    return pair ? { node: pair.value, key: pair.key } : null;
  }
  const item = isSeq<Node>(node) ? node.items[Number(name)] : undefined;
  return item ? { node: item, key: null } : null;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Numbers are written as they were read: JavaScript's would lose digits. */
const numbersAsRead = (tags: Tags): Tags =>
  tags.map((tag) => {
    if (typeof tag === 'string' || !('test' in tag) || !/:(?:int|float)$/.test(tag.tag)) return tag;
    const { stringify } = tag;
    const asRead: ScalarTag['stringify'] = (item, ...rest) =>
      item.source ?? stringify?.(item, ...rest) ?? String(item.value);
    return { ...tag, stringify: asRead } as ScalarTag;
  });

function parse(
  text: string,
  lineCounter: LineCounter,
): { document: Document.Parsed<ParsedNode> } | { message: string } {
  try {
    const document = parseDocument<ParsedNode>(text, {
      version: '1.2',
      schema: 'core',
      stringKeys: true,
      // The parser compares each with each; `convert` finds them.
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
      customTags: numbersAsRead,
    });
    return { document };
  } catch (error) {
    if (error instanceof RangeError) return { message: TOO_DEEP };
    throw error;
  }
}
