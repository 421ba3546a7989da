import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Gauge, type Registry } from 'prom-client';

/** A scrape does not wait longer for a file system, such as one of another host. */
const READ_WITHIN_MS = 1_000;

/** Where a process writes. */
export interface DiskFolders {
  dataDir: string;
  storageUrl: string;
}

/** Registers the space of the disks that a process writes to. A store on S3 has none. */
export function exposeDiskSpace(registry: Registry, { dataDir, storageUrl }: DiskFolders): void {
  const folders = {
    data_dir: dataDir,
    ...(storageUrl.startsWith('file:') && { files: fileURLToPath(storageUrl) }),
  };
  const gauge = (name: string, help: string, bytes: (space: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const [folder, path] of Object.entries(folders)) {
          const space = await spaceOf(path);
          if (space) this.set({ folder }, bytes(space));
        }
      },
    });
  gauge(
    'muster_disk_free_bytes',
    'Space that this process may use on the disk of DATA_DIR (data_dir) and of uploads and results (files)',
    ({ bavail, bsize }) => bavail * bsize,
  );
  gauge('muster_disk_size_bytes', 'Size of these disks', ({ blocks, bsize }) => blocks * bsize);
}

const spaceOf = (folder: string): Promise<StatsFs | null> =>
  Promise.race([diskOf(folder).catch(() => null), sleep(READ_WITHIN_MS, null, { ref: false })]);

/** A folder that does not exist yet will be on the disk of its parent. */
async function diskOf(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    const isNew = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder;
    if (isNew) return diskOf(dirname(folder));
    throw error;
  }
}
