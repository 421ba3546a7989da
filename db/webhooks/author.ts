/** The API key that saved a revision. The name is the key's at that time, because a key can be deleted. */
export interface Author {
  id: string;
  name: string;
}

/** A change that is only made to an expected revision. */
export interface SaveOptions {
  author: Author;
  /** Returns whether the current revision may be replaced. Called while the revision is locked. Default: any may. */
  isExpected?: (revision: number) => boolean;
}

/** Returns the columns that record an author. */
export const authorColumns = ({ id, name }: Author) => ({ saved_by_id: id, saved_by_name: name });

/** Returns the author of a row, or null if it was saved before authors were recorded. */
export const toAuthor = (row: { saved_by_id: string | null; saved_by_name: string | null }): Author | null =>
  row.saved_by_id === null ? null : { id: row.saved_by_id, name: row.saved_by_name ?? '' };
