import { Readable } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import type { RunFile, SampleRow } from '../../db/feeds/feed-runs.js';
import type { Feed, SeenFile } from '../../db/feeds/feeds.js';
import { readByRecipe } from '../identities/parse/read-by-recipe.js';
import { columnsOf } from '../identities/recipe/recipe.js';
import { FileError } from '../identities/record/errors.js';
import { storedWorkbook } from '../identities/workbook/workbook.js';
import { SecretBox } from '../process/secret-box.js';
import type { WorkerServices } from '../run/services.js';
import { type Content, ContentDigest } from '../text/content-digest.js';
import { type FeedSettings, type Secrets, withSecrets } from './rules/feed-settings.js';
import type { FetchedFile } from './sources/fetched-file.js';
import type { SourceSettings } from './sources/settings.js';
import { fetchSource } from './sources/source.js';
import { SourceError } from './sources/source-error.js';

/** A file in the store, which no job has yet. */
export interface StoredFile extends Content {
  key: string;
  charset: string | undefined;
  seen: SeenFile;
  file: RunFile;
}

/**
 * Fetches the file of a feed into the store; null if it is the one that the feed has seen last.
 * @throws SourceError, FileError if its columns are not those of the recipe
 */
export async function fetchFile(
  feed: Feed,
  settings: FeedSettings,
  services: WorkerServices,
): Promise<StoredFile | null> {
  const { files, closing, outbound } = services;
  const { uploadMaxBytes: maxBytes, feedDirectory: directory } = services.settings;
  const seen = feed.seen?.revision === feed.revision ? feed.seen : null;
  const { recipe } = settings;
  const named = Object.values(recipe.columns).filter((name) => name !== undefined);
  const columns = [...new Set([...named, ...columnsOf(recipe)])];
  const source = openSource(feed, settings, services);
  const fetched = await fetchSource(source, {
    known: seen?.version ?? null,
    columns,
    maxBytes,
    stopped: closing,
    outbound,
    directory,
  });
  if (fetched === 'unchanged') return null;
  const key = `uploads/${uuidv7()}`;
  const content = await store(key, fetched, services);
  const digest = content.digest.toString('hex');
  if (seen?.digest === digest) {
    await files.remove(key);
    return null;
  }
  try {
    const charset = recipe.charset ?? charsetOf(fetched.contentType);
    const { names, sample } = await readSample({ key, charset, content }, settings, services);
    const version = fetched.version;
    const modifiedAt = fetched.modifiedAt?.toISOString() ?? null;
    return {
      ...content,
      key,
      charset,
      seen: { version, digest, modifiedAt, revision: feed.revision },
      file: {
        name: fetched.name,
        bytes: content.bytes,
        ...{ digest, version, modifiedAt, sample, revision: feed.revision },
        columns: names,
        endsLine: content.isGzip || content.isZip ? null : content.endsLine,
      },
    };
  } catch (error) {
    await files.remove(key).catch(() => {});
    throw error;
  }
}

/** @throws SourceError if this worker cannot decrypt the secrets */
function openSource(
  { id, secrets }: Feed,
  { source }: FeedSettings,
  { settings: { secretKey, secretKeyOld } }: WorkerServices,
): SourceSettings {
  if (secrets === null) return withSecrets(source, {});
  const text = secretKey === null ? null : new SecretBox(secretKey, secretKeyOld).open(secrets, id);
  if (text !== null) return withSecrets(source, JSON.parse(text) satisfies Secrets);
  throw new SourceError(
    'not_allowed',
    'the secrets of the source cannot be decrypted: they were encrypted with another SECRET_KEY, or no worker has a SECRET_KEY. Set SECRET_KEY_OLD to the former key, or enter the secrets again',
  );
}

async function store(key: string, { content }: FetchedFile, { files }: WorkerServices): Promise<Content> {
  const digest = new ContentDigest();
  let failure: unknown = null;
  content.once('error', (error) => {
    failure = error;
  });
  try {
    await files.write(key, Readable.from(digest.through(content), { objectMode: false }));
  } catch (error) {
    // What the store makes of it would look like a failure of the store, after which the job starts again and again.
    throw failure ?? error;
  } finally {
    content.destroy();
  }
  return digest.end();
}

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;

/** Returns the charset that a source declares, if it is worth more than a guess: servers declare ISO-8859-1 for anything. */
function charsetOf(contentType: string | null): string | undefined {
  const charset = CHARSET.exec(contentType ?? '')?.[1];
  return charset && /^utf-?(?:8|16)/i.test(charset) ? charset : undefined;
}

/** Rows of a sample, and characters of a cell in it. */
const [SAMPLE_ROWS, SAMPLE_CELL] = [5, 200];

/** Reads the columns and the first rows of a stored file. A file that has no valid row yet has no sample: the dry run says why. */
async function readSample(
  { key, charset, content }: { key: string; charset: string | undefined; content: Content },
  { recipe, mirror }: FeedSettings,
  { files, settings: { uploadMaxBytes: maxBytes, uploadMaxRows: maxRows } }: WorkerServices,
): Promise<{ names: string[]; sample: SampleRow[] }> {
  const names: string[] = [];
  const sample: SampleRow[] = [];
  const source = content.isZip
    ? storedWorkbook(files, key, { sheet: recipe.sheet, maxBytes })
    : files.read(key);
  const { columns, integrationId } = recipe;
  const reading = readByRecipe(
    source,
    {
      charset,
      choice: { action: 'assert', columns, integrationId },
      limits: { maxBytes, maxRows },
      batchRows: SAMPLE_ROWS,
      integrationIds: mirror ? new Set(mirror) : undefined,
    },
    recipe,
    {
      onNames: (found) => void names.push(...found),
      onRow: (row, line, made) => {
        if (sample.length < SAMPLE_ROWS) sample.push(toSample(row, line, made));
      },
    },
  );
  try {
    for await (const _ of reading) if (sample.length === SAMPLE_ROWS) break;
  } catch (error) {
    // The dry run reads the file again, and reports what is wrong with it.
    if (!(error instanceof FileError)) throw error;
  }
  return { names, sample };
}

function toSample(
  row: Record<string, string>,
  line: number,
  made: SampleRow['identity'] | { field: string | null; message: string }[],
): SampleRow {
  const short = Object.fromEntries(
    Object.entries(row).map(([name, text]) => [name, text.slice(0, SAMPLE_CELL).toWellFormed()]),
  );
  if (!Array.isArray(made)) return { line, row: short, identity: made, errors: [] };
  return { line, row: short, identity: null, errors: made.map(({ field, message }) => ({ field, message })) };
}
