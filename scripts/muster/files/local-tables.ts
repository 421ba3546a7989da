import type { TableFileContent } from '../../../api/routes/tables/file-schema.js';
import type { Directory, FileOf } from './read-directory.js';

/** A lookup table of a folder: of a file that describes it, or of `tables/NAME.csv` by itself. */
export interface LocalTable {
  /** Of the file that describes it, or of its rows. */
  path: string;
  /** The file of its rows. */
  csv: string;
  content: Omit<TableFileContent, 'file'>;
  /** The file that describes it; null: its rows are there by themselves. */
  described: FileOf<'tables'> | null;
}

/** Returns the tables of a folder. */
export function localTables({ folder, tables, settings }: Directory): LocalTable[] {
  const described = tables.flatMap((file): LocalTable | [] => {
    if (!file.content) return [];
    const { file: csv = `${file.content.name}.csv`, ...content } = file.content;
    return { path: file.path, csv: folder.pathFrom(file.path, csv), content, described: file };
  });
  const paths = new Set(described.map(({ csv }) => csv));
  const names = new Set(described.map(({ content }) => content.name));
  const alone = folder.filesIn('tables').flatMap((path): LocalTable | [] => {
    const name = /^tables\/([a-z0-9][a-z0-9_-]{0,63})\.csv$/.exec(path)?.[1];
    if (name === undefined || paths.has(path) || names.has(name)) return [];
    const { managedBy } = settings;
    const content = { name, key: undefined, matching: 'exact' as const, managedBy };
    return { path, csv: path, content, described: null };
  });
  return [...described, ...alone];
}
