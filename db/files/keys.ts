/** The folders that belong to Muster. Everything else in the store belongs to somebody else. */
export const FOLDERS = ['uploads', 'results', 'audit'] as const;

const FOLDER = `(?:${FOLDERS.join('|')})`;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A valid key: one of Muster's folders, then a plain name. */
const KEY = new RegExp(`^${FOLDER}/[A-Za-z0-9._-]+$`);

/** The id of a job or an upload, the attempt or `rejected`, and the suffix of a file that is being written. */
const OWN = new RegExp(`^${FOLDER}/${UUID}(?:\\.(?:[0-9a-f]{8}|rejected))?(?:\\.${UUID}\\.partial)?$`);

export const isKey = (text: string): boolean => KEY.test(text);

/** Returns whether Muster created this key. Only such files may be deleted if no job names them. */
export const isOwnKey = (key: string): boolean => OWN.test(key);
