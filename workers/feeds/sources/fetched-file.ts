import type { Readable } from 'node:stream';
import type { OutboundClient } from '../../outbound/outbound-client.js';

/** A file of a source, whose content is on its way. */
export interface FetchedFile {
  /** For people and for the format by its ending, such as `people.csv`. */
  name: string;
  /** What tells this version from others, to be given as `known` next time; null: the source cannot tell. */
  version: string | null;
  modifiedAt: Date | null;
  /** As the source declares it, such as `text/csv; charset=utf-8`. */
  contentType: string | null;
  /**
   * The bytes of the file, which may be compressed with gzip. It ends only if the file is whole, and otherwise fails with a SourceError, or with the reason
   * of `stopped`. Destroying it closes what it reads from. It must be read to its end or destroyed.
   */
  content: Readable;
}

export interface FetchContext {
  /** The version of the last file, from the same settings and the same columns; null: read the file in any case. */
  known: string | null;
  /** The columns of the file that is made of a list in JSON: keys or paths in an item, such as `login` or `profile.email`. */
  columns: readonly string[];
  /** The file may not be larger, as it is sent. */
  maxBytes: number;
  /** Ends everything at once, also the content. */
  stopped: AbortSignal;
  /** Applies `OUTBOUND_ALLOW` and `OUTBOUND_PROXY`. */
  outbound: OutboundClient;
  /** The setting `FEED_DIRECTORY`; null: sources may not read files of the workers' hosts. */
  directory: string | null;
  /** How many pages a list may have. Default: 10,000 */
  maxPages?: number;
  /** Only tests need others. */
  deadlines?: Partial<Deadlines>;
}

/** How long a source may take, in milliseconds. */
export interface Deadlines {
  /** For the connection. */
  connectMs: number;
  /** From the lookup of the host to the start of the response: some sources write the file only now. */
  responseMs: number;
  /** Between two pieces of the content, while Muster waits for the next one. */
  stallMs: number;
  /** For the whole file. */
  totalMs: number;
}

const DEADLINES: Deadlines = {
  connectMs: 10_000,
  responseMs: 60_000,
  stallMs: 30_000,
  totalMs: 30 * 60_000,
};

export const deadlinesOf = ({ deadlines }: FetchContext): Deadlines => ({ ...DEADLINES, ...deadlines });
