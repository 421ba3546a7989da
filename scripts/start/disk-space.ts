import { statfsSync } from 'node:fs';

/** With less, a server that writes its log would soon fail again. */
const neededMb = 16;
/** Files that a start creates: logs, temporary tables, binary logs. */
const neededFiles = 64;

/** Returns the free space on the disk of a folder, in MB, rounded down. */
export function freeMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

/** Returns how many files can still be created on the disk of a folder. Some file systems have no limit and report a total of 0. */
function freeFiles(folder: string): number {
  const { files, ffree } = statfsSync(folder);
  return files === 0 ? Number.POSITIVE_INFINITY : ffree;
}

/** Returns a message if the disk of a folder is full, so that nothing in it can run. Returns an empty text if there is space. */
export function fullDisk(folder: string): string {
  const free = freeMb(folder);
  if (free < neededMb)
    return `the disk is full, waiting: ${folder} has ${free} MB free, and ${neededMb} MB are needed`;
  const files = freeFiles(folder);
  if (files >= neededFiles) return '';
  return `the disk is full, waiting: ${folder} can hold ${files} more files (inodes), and ${neededFiles} are needed`;
}

/** Returns whether the last log lines of a program blame a full disk, even if it has space again by now. */
export const blamesFullDisk = (words: string): boolean =>
  /No space left on device|ENOSPC|disk is full|EDQUOT|Disk quota exceeded/i.test(words);
