import type { Directory } from '../files/read-directory.js';
import type { MusterServer } from './client.js';
import type { Applied, PlannedChange } from './planned-change.js';

/** What a plan is made from. */
export interface Planning {
  server: MusterServer;
  directory: Directory;
  env: Record<string, string | undefined>;
  /** Whether that is deleted which has the `managedBy` of the folder and no file in it. */
  prune: boolean;
  /** The newest events of each integration that a new mapping is tried on; 0: none. */
  events: number;
}

/** What a plan is applied with. */
export interface Applying {
  server: MusterServer;
  /** The folder of the files. */
  root: string;
  env: Record<string, string | undefined>;
}

/** A file as the server has it. */
export interface ExportedFile {
  /** Relative to the folder. */
  path: string;
  /** Null: there is none yet. */
  before: string | null;
  after: string;
}

export interface Exported {
  files: ExportedFile[];
  /** Files whose thing the server does not have, each with what it is. */
  unknown: { path: string; one: string }[];
  /** Why something could not be exported. */
  problems: string[];
  /** The kinds that the key may not read. */
  closed: string[];
}

export const NOT_EXPORTED: Exported = { files: [], unknown: [], problems: [], closed: [] };

/** A file whose thing has a name; null: there are findings. */
export interface NamedFile {
  path: string;
  content: { name: string } | null;
}

/** How a kind of files is kept on a server. */
export interface ServerKind {
  /** Such as `integration`. */
  one: PlannedChange['kind'];
  filesOf(directory: Directory): readonly NamedFile[];
  /** Returns what a file would change on the server; null: nothing. */
  plan(planning: Planning, file: NamedFile & { content: { name: string } }): Promise<PlannedChange | null>;
  /** Returns the names of what the server has that files with this `managedBy` have made. */
  managed(server: MusterServer, managedBy: string): Promise<string[]>;
  /** Returns the tag of what the server has; null: it has nothing of this name. */
  tag(server: MusterServer, name: string): Promise<string | null>;
  /** Makes a planned change, or only says what would become of it. */
  put(applying: Applying, change: PlannedChange, dryRun: boolean): Promise<Applied>;
  /** Deletes what has still the tag that it had. */
  delete(applying: Applying, change: PlannedChange): Promise<Applied>;
  /** Returns what the server has as files. Of a file that is there, only what differs is changed. */
  export(server: MusterServer, directory: Directory): Promise<Exported>;
}
