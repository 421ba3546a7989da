import { compileRowRule, type RowRule } from '../../mapping/index.js';

/** The fields of an identity that a rule may make. */
export const RULED_FIELDS = ['email', 'integrationId', 'identity'] as const;
export type RuledField = (typeof RULED_FIELDS)[number];

/** How the rows of a feed's file become identities, besides the columns that are read as they are. */
export interface Recipe {
  /** Expressions in CEL over `row`, by the field that they make. */
  rules?: { [Field in RuledField]?: string | undefined } | undefined;
  /** A condition over `row`: other rows are left out. */
  keep?: string | undefined;
}

export interface CompiledRecipe {
  rules: ReadonlyMap<RuledField, RowRule>;
  keep: RowRule | null;
}

/** An error of a rule, by the field of the recipe that has it. */
export interface RecipeError {
  field: `rules.${RuledField}` | 'keep';
  message: string;
}

/** Returns everything that is wrong with a recipe. */
export function recipeErrors(recipe: Recipe): RecipeError[] {
  const compiled = compileRecipe(recipe, false);
  return 'errors' in compiled ? compiled.errors : [];
}

/** Compiles a recipe. @param isStored whether it was saved earlier: limits that are newer than it do not apply */
export function compileRecipe(
  { rules = {}, keep }: Recipe,
  isStored: boolean,
): { recipe: CompiledRecipe } | { errors: RecipeError[] } {
  const errors: RecipeError[] = [];
  const compile = (field: RecipeError['field'], source: string, result: 'bool' | 'value') => {
    const compiled = compileRowRule(source, result, isStored);
    if ('rule' in compiled) return compiled.rule;
    errors.push(...compiled.errors.map((message) => ({ field, message })));
    return null;
  };
  const found = new Map<RuledField, RowRule>();
  for (const field of RULED_FIELDS) {
    const source = rules[field];
    const rule = source === undefined ? null : compile(`rules.${field}`, source, 'value');
    if (rule) found.set(field, rule);
  }
  const condition = keep === undefined ? null : compile('keep', keep, 'bool');
  return errors.length > 0 ? { errors } : { recipe: { rules: found, keep: condition } };
}

/** Returns the columns that the rules of a recipe read. */
export function columnsOf(recipe: Recipe): string[] {
  const compiled = compileRecipe(recipe, true);
  if ('errors' in compiled) return [];
  const { rules, keep } = compiled.recipe;
  return namesIn([...rules.values(), ...(keep ? [keep] : [])]);
}

/** Returns the columns that rules read, each once. */
export const namesIn = (rules: readonly RowRule[]): string[] => [
  ...new Set(rules.flatMap(({ paths }) => paths.flatMap(({ keys }) => keys[0] ?? []))),
];
