import { z } from 'zod';

const FIELDS = ['email', 'integrationId', 'identity'] as const;
type Field = (typeof FIELDS)[number];
export type ColumnNames = Partial<Record<Field, string>>;

const MAX_LENGTH = 2_000;
const MAX_NAME = 255;

/** `field:name`, up to a comma or the end. A name in quotes may contain commas; a quote inside it is doubled. */
const PAIR = /([^:,"]*):("(?:[^"]|"")*"|[^",]*)(?:,|$)/y;

/**
 * Returns the schema of the option `columns`, such as `email:Mail Address,identity:"Login, unique"`.
 * @param fields that the upload reads from columns
 */
export const columnsOption = (fields: readonly Field[]) =>
  z
    .string()
    .max(MAX_LENGTH)
    .transform((text, context): ColumnNames => {
      const { names, errors } = readPairs(text, fields);
      for (const message of errors) context.addIssue({ code: 'custom', message });
      return errors.length === 0 ? names : z.NEVER;
    })
    .meta({
      description:
        'CSV only. The columns of fields whose names are not known, such as `email:Mail Address,identity:Login`. A name ' +
        'with a comma or quote is put in quotes, and quotes inside it are doubled: `identity:"Login, unique"`. Names are ' +
        'compared without case, spaces, `_` and `-`',
      override: { type: 'string', maxLength: MAX_LENGTH, examples: ['email:Mail Address,identity:Login'] },
    });

function readPairs(text: string, fields: readonly Field[]): { names: ColumnNames; errors: string[] } {
  const names: ColumnNames = {};
  const errors: string[] = [];
  let at = 0;
  while (at < text.length) {
    PAIR.lastIndex = at;
    const [pair, left = '', right = ''] = PAIR.exec(text) ?? [];
    if (pair === undefined) {
      errors.push(
        `must be field:name pairs such as email:Mail Address. This is not one: ${show(text.slice(at))}`,
      );
      break;
    }
    at += pair.length;
    const field = fields.find((one) => one === left.trim());
    const name = right.startsWith('"') ? right.slice(1, -1).replaceAll('""', '"') : trimmed(right);
    const error = field
      ? nameError(field, name, names)
      : `unknown field ${show(left.trim())}: use ${list(fields)}`;
    if (error) errors.push(error);
    else if (field) names[field] = name;
  }
  if (text.trim() === '') errors.push('must not be empty');
  return { names, errors };
}

/** Several spaces at the end are kept, because they may have been `C++`: the error of the column says so. */
const trimmed = (name: string): string => (/\S {2,}$/.test(name) ? name.trimStart() : name.trim());

function nameError(field: Field, name: string, names: ColumnNames): string | null {
  if (name.trim() === '') return `names no column for ${field}`;
  if (name.length > MAX_NAME) return `the name for ${field} must have at most ${MAX_NAME} characters`;
  return names[field] === undefined ? null : `names more than one column for ${field}`;
}

const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const list = (fields: readonly Field[]): string => `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;
