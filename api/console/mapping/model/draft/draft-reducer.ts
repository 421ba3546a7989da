import type { MappedField } from '../../../http/types.ts';
import { replaceInExpression } from '../../expression-editor/expression-paths.ts';
import type { Target } from './alert-fields.ts';
import { freeName, MAX_CUSTOM, nameError } from './custom-name.ts';
import { type Draft, type DraftField, EMPTY_FIELD, fieldAt } from './draft.ts';
import {
  type DraftLookup,
  keyPartsOf,
  type Lookup,
  lookupNameError,
  MAX_LOOKUPS,
  textOfPart,
  withKeyParts,
  withPlace,
} from './lookups.ts';
import { splitDraft } from './split.ts';
import { insertAt, replacePath, tagOf } from './tags.ts';

export type DraftAction =
  | { type: 'change'; target: Target; change: Partial<DraftField> }
  /** Inserts a tag into a template, or a path into an expression: at the cursor if there is one. */
  | { type: 'insert'; target: Target; text: string; cursor?: number | undefined }
  /** Replaces a part of a template. */
  | { type: 'replacePart'; target: Target; part: string; by: string }
  /** Replaces one path by another in one field. */
  | { type: 'replacePath'; target: Target; path: string; by: string }
  | { type: 'mapValue'; target: Target; from: string; to: string }
  /** `path`: the payload field of its first template. */
  | { type: 'addCustom'; suggestedName: string; path?: string }
  | { type: 'renameCustom'; from: string; to: string }
  | { type: 'removeCustom'; name: string }
  | { type: 'split'; path: string | null }
  /** Parses a text that contains JSON. */
  | { type: 'expandJson'; path: string }
  | { type: 'addLookup'; table: string; keyColumns: number }
  | { type: 'changeLookup'; name: string; lookup: Lookup }
  | { type: 'renameLookup'; from: string; to: string }
  | { type: 'removeLookup'; name: string }
  /** The same in a part of a lookup's key. */
  | { type: 'insertKey'; name: string; part: number; text: string; cursor?: number | undefined }
  | { type: 'filter'; filter: string }
  | { type: 'final'; final: boolean }
  | { type: 'keepTexts'; keepsTexts: boolean }
  | { type: 'repeatWindow'; seconds: number | null }
  | { type: 'replace'; draft: Draft };

/** Returns the draft after one edit. An edit that is not possible returns it unchanged. */
export function reduceDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case 'change':
      return withField(draft, action.target, (field) => ({ ...field, ...action.change }));
    case 'insert':
      return withField(draft, action.target, (field) => inserted(field, action.text, action.cursor));
    case 'replacePart':
      return withField(draft, action.target, (field) => ({
        ...field,
        template: field.template.replace(action.part, () => action.by),
      }));
    case 'replacePath':
      return withField(draft, action.target, (field) => ({
        ...field,
        ...(field.expression === undefined
          ? { template: replacePath(field.template, action.path, action.by) }
          : { expression: replaceInExpression(field.expression, action.path, action.by) }),
      }));
    case 'mapValue':
      return withField(draft, action.target, (field) => ({
        ...field,
        values: { ...field.values, [action.from]: action.to },
      }));
    case 'addCustom':
      return addCustom(draft, action.suggestedName, action.path);
    case 'renameCustom':
      return renameCustom(draft, action.from, action.to);
    case 'removeCustom':
      return { ...draft, custom: draft.custom.filter(({ name }) => name !== action.name) };
    case 'split':
      return splitDraft(draft, action.path);
    case 'expandJson':
      return draft.expandJson.includes(action.path)
        ? draft
        : { ...draft, expandJson: [...draft.expandJson, action.path] };
    case 'addLookup':
      return addLookup(draft, action);
    case 'changeLookup':
      return withLookup(draft, action.name, ({ name }) => ({ name, lookup: action.lookup }));
    case 'renameLookup':
      return renameLookup(draft, action.from, action.to);
    case 'removeLookup':
      return { ...draft, lookups: draft.lookups.filter(({ name }) => name !== action.name) };
    case 'insertKey':
      return withLookup(draft, action.name, (one) => insertedKey(one, action));
    case 'filter':
      return { ...draft, filter: action.filter };
    case 'final':
      return { ...draft, final: action.final };
    case 'keepTexts':
      return { ...draft, keepsTexts: action.keepsTexts };
    case 'repeatWindow':
      return { ...draft, repeatWindowSeconds: action.seconds };
    case 'replace':
      return action.draft;
  }
}

function withLookup(draft: Draft, name: string, change: (one: DraftLookup) => DraftLookup): Draft {
  return { ...draft, lookups: draft.lookups.map((one) => (one.name === name ? change(one) : one)) };
}

function addLookup(draft: Draft, { table, keyColumns }: { table: string; keyColumns: number }): Draft {
  if (draft.lookups.length >= MAX_LOOKUPS) return draft;
  const used = draft.lookups.map(({ name }) => name);
  const name = freeName(table.replace(/[^A-Za-z0-9_]+/g, '_') || 'lookup', used);
  return { ...draft, lookups: [...draft.lookups, { name, lookup: withPlace({}, { table, keyColumns }) }] };
}

function renameLookup(draft: Draft, from: string, to: string): Draft {
  const others = draft.lookups.map(({ name }) => name).filter((name) => name !== from);
  if (lookupNameError(to, others) !== null) return draft;
  return withLookup(draft, from, ({ lookup }) => ({ name: to, lookup }));
}

function insertedKey(
  { name, lookup }: DraftLookup,
  { part: place, text, cursor }: { part: number; text: string; cursor?: number | undefined },
): DraftLookup {
  const parts = keyPartsOf(lookup).map((part, index) => {
    if (index !== place) return part;
    const inserted = insertAt(textOfPart(part), text, cursor);
    return typeof part === 'string' ? inserted : { expression: inserted };
  });
  return { name, lookup: withKeyParts(lookup, parts) };
}

function inserted(field: DraftField, text: string, cursor?: number): DraftField {
  const { template, expression } = field;
  return expression === undefined
    ? { ...field, template: insertAt(template, text, cursor) }
    : { ...field, expression: insertAt(expression, text, cursor) };
}

function withField(draft: Draft, target: Target, change: (field: DraftField) => DraftField): Draft {
  const changed = change(fieldAt(draft, target));
  const name = target.slice(target.indexOf('.') + 1);
  if (target.startsWith('fields.')) {
    return { ...draft, fields: { ...draft.fields, [name as MappedField]: changed } };
  }
  const custom = draft.custom.map((one) => (one.name === name ? { name, field: changed } : one));
  return { ...draft, custom };
}

function addCustom(draft: Draft, suggestedName: string, path: string | undefined): Draft {
  if (draft.custom.length >= MAX_CUSTOM) return draft;
  const name = freeName(suggestedName, namesOf(draft));
  const field = { ...EMPTY_FIELD, template: path === undefined ? '' : tagOf(path) };
  return { ...draft, custom: [...draft.custom, { name, field }] };
}

function renameCustom(draft: Draft, from: string, to: string): Draft {
  const others = namesOf(draft).filter((name) => name !== from);
  if (nameError(to, others) !== null) return draft;
  const custom = draft.custom.map((one) => (one.name === from ? { ...one, name: to } : one));
  return { ...draft, custom };
}

const namesOf = (draft: Draft): string[] => draft.custom.map(({ name }) => name);
