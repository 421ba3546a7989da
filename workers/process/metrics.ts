import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { errorCode } from '../../db/files/index.js';
import { droppedLogLines } from './log.js';

/** The metrics of a process, in the format of Prometheus. */
export interface Exposition {
  contentType: string;
  /** Returns all metrics as text, within about a second even if a server is unavailable. */
  scrape(): Promise<string>;
}

/** Returns a registry with the metrics of every process: Node's own, the space on its disks, and the number of dropped log lines. */
export function createRegistry(folders: DiskFolders): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new CallbackMetrics(registry).counter(
    'muster_log_lines_dropped_total',
    'Log lines that could not be written, for example because the disk is full',
    droppedLogLines,
  );
  exposeDiskSpace(registry, folders);
  return registry;
}

/**
 * Metrics that read plain numbers at each scrape. For thousands of counts per second, looking up a metric and its labels each
 * time would cost more than the counting itself.
 */
export class CallbackMetrics {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  /** Adds a counter. */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Adds a counter with one label. Counts with the same label value are added up. */
  counters(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  }

  /** Adds a gauge with one label. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.set({ [label]: value }, count);
      },
    });
  }

  /** Adds a gauge. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(read());
      },
    });
  }
}

/** A scrape does not wait longer for a file system, such as one of another host. */
const READ_WITHIN_MS = 1_000;

/** Where a process writes. */
interface DiskFolders {
  dataDir: string;
  storageUrl: string;
}

/** Registers the space of the disks that a process writes to. A store on S3 has none. */
function exposeDiskSpace(registry: Registry, { dataDir, storageUrl }: DiskFolders): void {
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
    const isNew = errorCode(error) === 'ENOENT' && dirname(folder) !== folder;
    if (isNew) return diskOf(dirname(folder));
    throw error;
  }
}
