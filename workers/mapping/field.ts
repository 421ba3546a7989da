import type { FieldMapping } from './mapping.js';
import { compileTemplate, type Scope, type Template } from './template.js';

/** What a field came to, and why. */
export interface FieldResult {
  value: string | null;
  result: 'resolved' | 'defaulted' | 'missing';
  /** The paths that its template names. */
  paths: readonly string[];
  /** Those that led nowhere, with the existing key nearest to each. */
  missing: readonly { path: string; nearest: string | null }[];
  warnings: readonly { code: string; message: string }[];
}

type Warning = FieldResult['warnings'][number];

export interface CompiledField {
  template: Template;
  default: string | null;
  values: ReadonlyMap<string, string> | null;
  maxLength: number;
}

/** Reads a field's mapping once. @throws TemplateFault */
export function compileField(mapping: FieldMapping, maxLength: number): CompiledField {
  const values = Object.entries(mapping.values ?? {}).map(([from, to]) => [from.toLowerCase(), to] as const);
  return {
    template: compileTemplate(mapping.template),
    default: mapping.default ?? null,
    values: values.length > 0 ? new Map(values) : null,
    maxLength,
  };
}

/** A field that the mapping says nothing of. */
export const UNMAPPED: FieldResult = { value: null, result: 'missing', paths: [], missing: [], warnings: [] };

const NOTHING: readonly never[] = [];

/** Fills a field. One tag that finds nothing makes the whole field take its default, or be missing. */
export function fillField(field: CompiledField, scope: Scope): FieldResult {
  const { text, missing } = field.template.render(scope);
  const { paths } = field.template;
  if (missing.length === 0 && text.trim() !== '') {
    const [mapped, unknown] = mapValue(text, field.values);
    const [value, tooLong] = cut(mapped, field.maxLength);
    const warnings = unknown || tooLong ? [unknown, tooLong].filter((warning) => warning !== null) : NOTHING;
    return { value, result: 'resolved', paths, missing, warnings };
  }
  if (field.default !== null) {
    return { value: field.default, result: 'defaulted', paths, missing, warnings: NOTHING };
  }
  const [value, tooLong] = cut(text, field.maxLength);
  const warnings = tooLong ? [tooLong] : NOTHING;
  return { value: value.trim() === '' ? null : value, result: 'missing', paths, missing, warnings };
}

function mapValue(text: string, values: CompiledField['values']): [text: string, Warning | null] {
  if (values === null) return [text, null];
  const mapped = values.get(text.trim().toLowerCase());
  if (mapped !== undefined) return [mapped, null];
  const message = 'the value is not in the value map; it was taken as it is';
  return [text, { code: 'unmapped_value', message }];
}

function cut(text: string, maxLength: number): [text: string, Warning | null] {
  if (text.length <= maxLength) return [text, null];
  const end = isHighSurrogate(text.charCodeAt(maxLength - 2)) ? maxLength - 2 : maxLength - 1;
  const message = `cut to ${maxLength} of ${text.length} characters`;
  return [`${text.slice(0, end)}…`, { code: 'cut', message }];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
