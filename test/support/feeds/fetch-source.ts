import { buffer } from 'node:stream/consumers';
import {
  type FetchContext,
  type FetchedFile,
  fetchSource,
  SourceError,
  sourceSchema,
} from '../../../workers/feeds/sources/source.js';
import type { AllowList } from '../../../workers/outbound/allow-list.js';
import { INTERNET, type Network } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';

/** Returns the context of a fetch, by default without a known version, with a limit of 1 MB. */
export const contextOf = (changes: Partial<FetchContext> = {}): FetchContext => ({
  known: null,
  columns: [],
  maxBytes: 1_000_000,
  stopped: new AbortController().signal,
  outbound: new OutboundClient(INTERNET),
  directory: null,
  ...changes,
});

export const clientOf = (network: Network, allow?: AllowList) => new OutboundClient(network, allow);

/** Fetches by settings as a request has them. */
export const fetchBy = async (source: object, changes: Partial<FetchContext> = {}) =>
  fetchSource(sourceSchema.parse(source), contextOf(changes));

/** Fetches a file with its content. @throws Error if it is unchanged */
export async function readBy(
  source: object,
  changes: Partial<FetchContext> = {},
): Promise<FetchedFile & { text: string }> {
  const file = await fetchBy(source, changes);
  if (file === 'unchanged') throw new Error('unchanged');
  return { ...file, text: (await buffer(file.content)).toString() };
}

/** Returns the error with which reading a source ends, sooner or later. */
export async function failureOf(source: object, changes: Partial<FetchContext> = {}): Promise<SourceError> {
  const error = await readBy(source, changes).then(
    ({ text }) => new Error(`was read: ${text.slice(0, 100)}`),
    (failure) => failure,
  );
  if (error instanceof SourceError) return error;
  throw error;
}
