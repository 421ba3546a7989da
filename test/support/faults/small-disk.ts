import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a given size that can be filled and freed. */
export interface SmallDisk {
  folder: string;
  /** Shrinks the disk to the used space plus the given number of KiB, for tests that need much space only at first. */
  shrinkToFree(kib: number): void;
  /** Takes all free space. */
  fill(): void;
  /** Frees the space again. */
  free(): void;
  unmount(): void;
}

/** Returns why a test without a small disk cannot run; null if it has one. */
export const whyNoDisk = (disk: SmallDisk | null): string | null =>
  disk ? null : 'it needs a file system of its own, which only root may mount';

/** Mounts a tmpfs of the given number of KiB. Returns null if this user may not mount. */
export function mountSmallDisk(kib: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'muster-test', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    shrinkToFree: (left) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      const usedKib = Math.ceil(((blocks - bfree) * bsize) / 1024);
      execFileSync('mount', ['-o', `remount,size=${usedKib + left}k`, folder]);
    },
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** In smaller and smaller pieces, until no page is left. */
function fillUp(file: string): void {
  const descriptor = openSync(file, 'a');
  for (let size = 1024 * 1024; size >= 512; ) {
    try {
      writeSync(descriptor, Buffer.alloc(size, 1));
    } catch {
      size /= 2;
    }
  }
  closeSync(descriptor);
}
