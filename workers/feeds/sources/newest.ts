/** A file that a pattern may mean. */
export interface Candidate {
  name: string;
  modifiedAt: Date;
}

/** Returns a function that tells whether a name matches a pattern with one `*`. As in a shell, a leading `*` matches no hidden file. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const [start = '', end = ''] = pattern.split('*');
  return (name) =>
    name.startsWith(start) &&
    name.endsWith(end) &&
    name.length >= start.length + end.length &&
    (start !== '' || !name.startsWith('.'));
}

/** Returns the file that was modified last, of several at the same time the last by name; null: there is none. */
export function newest<File extends Candidate>(files: readonly File[]): File | null {
  return files.reduce<File | null>((best, file) => (best && !isNewer(file, best) ? best : file), null);
}

function isNewer(file: Candidate, best: Candidate): boolean {
  const byTime = file.modifiedAt.getTime() - best.modifiedAt.getTime();
  return byTime === 0 ? file.name > best.name : byTime > 0;
}
