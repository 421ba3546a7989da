import { type CompiledTemplate, compileTemplate } from '../template/template.js';
import { type Path, parsePath } from '../values/path.js';
import type { Length } from '../values/truncate.js';
import {
  ALERT_FIELDS,
  type AlertField,
  type FieldMapping,
  type Mapping,
  mappingSchema,
  REQUIRED_FIELDS,
} from './schema.js';

/** A field of a mapping, ready to be rendered any number of times. */
export interface CompiledField {
  /** `severity`, or `custom.NAME`. */
  name: string;
  required: boolean;
  length: Length;
  template: CompiledTemplate | null;
  default: string | null;
  /** Keyed by the lower-cased, trimmed value. */
  values: ReadonlyMap<string, string> | null;
}

export interface CompiledMapping {
  /** From the payload, without `webhook`. */
  split: Path | null;
  expandJson: readonly Path[];
  fields: readonly (CompiledField & { name: AlertField })[];
  /** Their names without `custom.`, beside them. */
  custom: readonly { key: string; field: CompiledField }[];
}

/** What is wrong with a mapping, and where; line and column (from 1) are those of the template. */
export interface MappingError {
  /** `fields.severity.template`, `custom.zone.values`, `split`, … */
  field: string;
  code: string;
  message: string;
  offset?: number;
  line?: number;
  column?: number;
}

export type CompileResult = { mapping: CompiledMapping } | { faults: MappingError[] };

/** All templates of a mapping together, in characters: they are parsed when it is saved and when it is first used. */
const MAX_TEMPLATES = 64 * 1024;

/** Checks a mapping and makes it ready. All its faults at once, none thrown. */
export const compileMapping = (input: unknown): CompileResult => compile(input, false);

/** The same for a mapping that was saved earlier: it keeps the meaning that it had when it was saved. */
export const compileStored = (input: unknown): CompileResult => compile(input, true);

function compile(input: unknown, stored: boolean): CompileResult {
  const dropped = stored ? [] : droppedNames(input);
  if (dropped.length > 0) return { faults: dropped };
  const parsed = mappingSchema.safeParse(input);
  if (!parsed.success) return { faults: parsed.error.issues.map(schemaFault) };
  const compiler = new Compiler(parsed.data, stored);
  const mapping = compiler.compile();
  return compiler.faults.length > 0 ? { faults: compiler.faults } : { mapping };
}

/** zod leaves `__proto__` out of records without a word, and nothing that was sent may be lost. */
function droppedNames(input: unknown): MappingError[] {
  const { fields, custom } = (input ?? {}) as { fields?: object; custom?: object };
  const values = [...entriesOf('fields', fields), ...entriesOf('custom', custom)].map(
    ([at, field]): [string, unknown] => [`${at}.values`, (field as { values?: unknown } | null)?.values],
  );
  return [['custom', custom] as const, ...values].flatMap(([at, record]) =>
    typeof record === 'object' && record !== null && Object.hasOwn(record, '__proto__')
      ? [{ field: `${at}.__proto__`, code: 'invalid_mapping', message: 'must not be named __proto__' }]
      : [],
  );
}

const entriesOf = (at: string, record: unknown): [string, unknown][] =>
  typeof record === 'object' && record !== null
    ? Object.entries(record).map(([name, field]) => [`${at}.${name}`, field])
    : [];

function schemaFault({ path, message }: { path: PropertyKey[]; message: string }): MappingError {
  return { field: path.map(String).join('.'), code: 'invalid_mapping', message };
}

class Compiler {
  readonly faults: MappingError[] = [];
  readonly #mapping: Mapping;
  readonly #stored: boolean;
  #characters = 0;

  constructor(mapping: Mapping, stored: boolean) {
    this.#mapping = mapping;
    this.#stored = stored;
  }

  compile(): CompiledMapping {
    const { split, expandJson = [], fields, custom = {} } = this.#mapping;
    return {
      split: split ? this.#payloadPath('split', split) : null,
      expandJson: this.#expandJson(expandJson),
      fields: ALERT_FIELDS.map((name) => ({
        ...this.#field(`fields.${name}`, name, fields[name] ?? {}),
        name,
        required: REQUIRED_FIELDS.includes(name),
      })),
      custom: Object.entries(custom).map(([key, field]) => ({
        key,
        field: this.#field(`custom.${key}`, `custom.${key}`, field),
      })),
    };
  }

  /** `alerts` and `webhook.alerts` are the same; `webhook` is the payload itself. */
  #payloadPath(at: string, text: string): Path {
    const path = parsePath(text);
    if (path && path.root !== 'item' && text !== '.') return { ...path, root: 'webhook' };
    this.faults.push({ field: at, code: 'bad_path', message: `"${text}" is no path in the payload` });
    return { text, root: 'webhook', keys: [] };
  }

  /** A path listed twice would only expand what is expanded already. A mapping saved with one still works. */
  #expandJson(texts: readonly string[]): Path[] {
    const paths = texts.map((text, index) => this.#payloadPath(`expandJson.${index}`, text));
    const seen = new Set<string>();
    for (const [index, { text, keys }] of paths.entries()) {
      const key = JSON.stringify(keys);
      if (seen.has(key) && !this.#stored) {
        const message = `"${text}" is listed more than once`;
        this.faults.push({ field: `expandJson.${index}`, code: 'repeated_path', message });
      }
      seen.add(key);
    }
    return paths;
  }

  #field(at: string, name: string, field: FieldMapping): CompiledField {
    return {
      name,
      required: false,
      length: name === 'description' ? 'long' : 'short',
      template: field.template?.trim() ? this.#template(`${at}.template`, field.template) : null,
      default: field.default?.trim() ?? null,
      values: field.values ? this.#values(`${at}.values`, field.values) : null,
    };
  }

  #template(at: string, source: string): CompiledTemplate | null {
    this.#characters += source.length;
    if (this.#characters > MAX_TEMPLATES) {
      const message = `the templates are longer than ${MAX_TEMPLATES} characters together`;
      this.faults.push({ field: at, code: 'templates_too_long', message });
      return null;
    }
    const compiled = compileTemplate(source, { split: Boolean(this.#mapping.split), stored: this.#stored });
    if ('template' in compiled) return compiled.template;
    const { line, column, message } = compiled.fault;
    this.faults.push({ field: at, ...compiled.fault, message: `line ${line}, column ${column}: ${message}` });
    return null;
  }

  #values(at: string, values: Record<string, string>): ReadonlyMap<string, string> {
    const map = new Map<string, string>();
    for (const [from, to] of Object.entries(values)) {
      const key = foldValue(from);
      if (map.has(key)) {
        this.faults.push({ field: at, code: 'repeated_value', message: `"${from}" is there more than once` });
      }
      map.set(key, to);
    }
    return map;
  }
}

/** Value maps know no case. */
export const foldValue = (value: string): string => value.trim().toLowerCase();
