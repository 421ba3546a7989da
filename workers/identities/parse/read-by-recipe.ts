import { LosslessNumber } from 'lossless-json';
import { type RowRule, RowState } from '../../mapping/index.js';
import { type Column, candidatesIn } from '../header/find-columns.js';
import type { Header } from '../header/header.js';
import { quoteName } from '../header/quote-name.js';
import {
  type CompiledRecipe,
  compileRecipe,
  namesIn,
  type Recipe,
  RULED_FIELDS,
  type RuledField,
} from '../recipe/recipe.js';
import { FileError, type RowError } from '../record/errors.js';
import type { IdentityRecord } from '../record/identity-record.js';
import { allowedIn, checkCells, checkRow, type RowRules, textKind, valueIn } from './check-row.js';
import type { CheckRow } from './collect-rows.js';
import { type CsvOptions, type CsvReading, readTable, type Source } from './read-csv.js';

/** What a recipe does to a file: the columns that it finds, and the rows. */
export interface RecipeWatch {
  /** Called once, with the names of all columns. */
  onNames?: (names: readonly string[]) => void;
  /** Called for each row that is not left out, with its cells by name and what became of it. */
  onRow?: (row: Record<string, string>, line: number, made: IdentityRecord | RowError[]) => void;
}

/**
 * Reads identities from the file of a feed by its recipe. What the rules make is checked like the cells of an upload.
 *
 * @throws FileError, while iterating, as `readCsv`, and `column_missing` if a rule reads a column that the file does not have
 */
export function readByRecipe(
  source: Source,
  { choice = {}, integrationIds, keepsLost = false, ...options }: CsvOptions,
  recipe: Recipe,
  watch: RecipeWatch = {},
): CsvReading {
  const compiled = compileRecipe(recipe, true);
  if ('errors' in compiled) {
    const [first] = compiled.errors;
    throw new FileError('invalid_rule', `the rule ${first?.field} of the feed: ${first?.message}`);
  }
  const { rules, keep } = compiled.recipe;
  const required = RULED_FIELDS.filter(
    (field) => !rules.has(field) && !(field === 'integrationId' && choice.integrationId !== undefined),
  );
  const columns = { ...choice.columns };
  for (const field of rules.keys()) delete columns[field];
  const read = { ...choice, columns, reads: { required, all: true } };
  const allowed = allowedIn({ integrationIds, choice });
  return readTable(source, { ...options, choice: read }, (header, notes) => {
    watch.onNames?.(header.names ?? []);
    return checkByRecipe(header, { rules, keep }, { ...allowed, keepsLost, notes }, watch);
  });
}

const columnAt = (name: string, index: number): Column => ({ name, index, escaped: false });

function checkByRecipe(
  header: Header,
  { rules, keep }: CompiledRecipe,
  checks: RowRules,
  { onRow }: RecipeWatch,
): CheckRow<IdentityRecord> {
  const names = header.names ?? [];
  const all = [...rules.values(), ...(keep ? [keep] : [])];
  requireColumns(all, names);
  const read = onRow ? names : namesIn(all);
  const places = read.map((name) => columnAt(name, names.indexOf(name)));
  const hasId = header.integrationId === undefined;
  const made: Header = {
    ...header,
    width: RULED_FIELDS.length,
    namedWidth: RULED_FIELDS.length,
    columns: {
      email: columnAt('email', 0),
      integrationId: hasId ? columnAt('integrationId', 1) : null,
      identity: columnAt('identity', 2),
    },
    original: null,
    extra: hasId ? [] : [''],
  };
  const { keepsLost, notes } = checks;
  return (cells, line) => {
    const text = textKind(cells);
    const unreadable = checkCells(cells, line, header, text, { keepsLost, notes });
    if (unreadable) return unreadable;
    const row = Object.fromEntries(places.map((place) => [place.name, valueIn(cells, place, text).trim()]));
    const result = makeRow(row);
    if (result !== null) onRow?.(row, line, result);
    return result;

    function makeRow(row: Record<string, string>): IdentityRecord | RowError[] | null {
      const state = new RowState(row);
      if (keep) {
        const kept = state.apply(keep);
        if ('fault' in kept) return [ruleError(null, 'keep', kept.fault)];
        if (kept.value === false) return null;
        if (kept.value !== true) return [ruleError(null, 'keep', 'the result is neither true nor false')];
      }
      const errors: RowError[] = [];
      const texts = RULED_FIELDS.map((field) => {
        const rule = rules.get(field);
        if (!rule) return cells[header.columns[field]?.index ?? -1] ?? '';
        const value = state.apply(rule);
        const made = 'fault' in value ? value : toText(value.value);
        if (typeof made === 'string') return Buffer.from(made).toString('latin1');
        errors.push(ruleError(field, `rules.${field}`, made.fault));
        return '';
      });
      return errors.length > 0 ? errors : checkRow(texts, line, made, checks);
    }
  };
}

const ruleError = (field: RuledField | null, rule: string, fault: string): RowError => ({
  field,
  code: 'rule_failed',
  message: `the rule \`${rule}\` cannot be applied: ${fault}`,
});

/** Returns the result of a rule as the text of a cell. */
function toText(value: unknown): string | { fault: string } {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof LosslessNumber) return value.value;
  return { fault: 'the result is neither a text nor a number' };
}

/** @throws FileError if a rule reads a column that the file does not have, or has twice */
function requireColumns(rules: readonly RowRule[], names: readonly string[]): void {
  const optional = new Set(
    rules.flatMap(({ paths, expectedPaths }) =>
      paths.filter((path) => !expectedPaths.includes(path)).flatMap(({ keys }) => keys[0] ?? []),
    ),
  );
  const errors = namesIn(rules).flatMap((name) => {
    const count = names.filter((one) => one === name).length;
    if (count === 1 || (count === 0 && optional.has(name))) return [];
    const message =
      count === 0
        ? `no column ${quoteName(name)}, which a rule of the feed reads`
        : `more than one column ${quoteName(name)}, which a rule of the feed reads`;
    const code = count === 0 ? 'column_missing' : 'column_repeated';
    return [{ line: null, field: null, code, message }];
  });
  const [first] = errors;
  if (!first) return;
  const message = errors.map((error) => error.message).join('; ');
  throw new FileError(first.code, message, errors, { candidates: candidatesIn(names) });
}
