import type { UploadPreview } from '../../../http/types.ts';
import type { Mode, UploadOptions } from '../upload-state.ts';

type Columns = UploadPreview['columns'];
export type Field = 'email' | 'integrationId' | 'identity';

/** The position of the column of each field; null if none is chosen. */
export interface ColumnChoice extends Record<Field, number | null> {
  /** The account system of all rows, in place of a column; null if a column contains it. */
  fixedId: string | null;
}

/** The longest name that the API accepts. */
const MAX_NAME = 255;

/** Returns the fields that a file must contain. A removal names no owner, and the account system of an upload link is known. */
export function fieldsOf(mode: Mode): Field[] {
  if (mode === 'remove') return ['integrationId', 'identity'];
  return mode === 'link' ? ['email', 'identity'] : ['email', 'integrationId', 'identity'];
}

/** Returns whether a column can be named: it has a name, and no other column has the same. */
export function isChoosable(columns: Columns, index: number): boolean {
  const name = columns[index]?.name.trim() ?? '';
  const isUnique = columns.filter((column) => column.name.trim() === name).length === 1;
  return name !== '' && name.length <= MAX_NAME && isUnique;
}

/**
 * Returns the columns that the file is read by; for a header that is not understood, the columns that the API proposes.
 * @param integrationId of all rows, or ''
 */
export function proposeChoice(columns: Columns, integrationId: string): ColumnChoice {
  const columnOf = (field: Field): number | null => {
    const read = columns.findIndex((column) => column.field === field);
    if (read !== -1) return read;
    const found = columns.findIndex(
      ({ candidate }, index) => candidate === field && isChoosable(columns, index),
    );
    return found === -1 ? null : found;
  };
  return {
    email: columnOf('email'),
    integrationId: integrationId ? null : columnOf('integrationId'),
    identity: columnOf('identity'),
    fixedId: integrationId || null,
  };
}

/** Returns what is wrong with a choice, by field. */
export function choiceErrors(choice: ColumnChoice, mode: Mode): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
  const taken = new Map<number, Field>();
  for (const field of fieldsOf(mode)) {
    const index = choice[field];
    if (field === 'integrationId' && choice.fixedId !== null) {
      if (!/^[1-9]\d{0,15}$/.test(choice.fixedId)) errors[field] = 'Enter the ID in plain digits, such as 7.';
    } else if (index === null) errors[field] = 'Choose a column.';
    else if (taken.has(index)) errors[field] = `This column is chosen for ${taken.get(index)} already.`;
    else taken.set(index, field);
  }
  return errors;
}

/** Returns a choice as the options of the upload. */
export function toOptions(choice: ColumnChoice, columns: Columns): Partial<UploadOptions> {
  const nameOf = (index: number | null) => (index === null ? '' : (columns[index]?.name.trim() ?? ''));
  return {
    emailColumn: nameOf(choice.email),
    integrationIdColumn: choice.fixedId === null ? nameOf(choice.integrationId) : '',
    identityColumn: nameOf(choice.identity),
    integrationId: choice.fixedId ?? '',
  };
}

const HEADER_ERRORS = ['header_missing', 'column_missing', 'column_repeated', 'column_conflict'];

/** Returns whether the columns of a file must be chosen before it can be read. */
export const isHeaderUnknown = ({ error }: Pick<UploadPreview, 'error'>): boolean =>
  error !== null && HEADER_ERRORS.includes(error.code);

/**
 * Returns the names of columns that look like data, such as `ada@example.com` or `7`: the file probably has no header, and its first
 * account would be skipped. Once the header is understood, only the columns that are read count.
 */
export function dataInHeader(preview: Pick<UploadPreview, 'columns' | 'error'>): string[] {
  const isUnknown = isHeaderUnknown(preview);
  return preview.columns
    .filter(({ field }) => isUnknown || field !== null)
    .map(({ name }) => name.trim())
    .filter((name) => /@|^\d+$/.test(name));
}
