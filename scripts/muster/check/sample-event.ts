import { isUtf8 } from 'node:buffer';
import type { EventRequest, JsonValue, ParsedPayload } from '../../../workers/mapping/index.js';
import { asParsed, parsePayload } from '../../../workers/mapping/index.js';
import { FileProblem, type Folder } from '../files/folder.js';
import type { Sample } from '../files/samples-schema.js';

/** The event of a sample, as a worker gets it. */
export interface SampleEvent {
  parsed: ParsedPayload;
  request: EventRequest | undefined;
  /** By which repetitions are recognized. */
  body: Buffer | string;
}

/**
 * Returns the event of a sample.
 * @param from the file with the sample
 * @throws FileProblem if the file of its payload cannot be read
 */
export function eventOf(
  { payload, payloadFile, request }: Sample,
  from: string,
  folder: Folder,
): SampleEvent {
  const sent = request ?? { payload, payloadFile };
  return { ...bodyOf(sent, from, folder), request: request && requestOf(request) };
}

function bodyOf(
  { payload, payloadFile }: Pick<Sample, 'payload' | 'payloadFile'>,
  from: string,
  folder: Folder,
): Omit<SampleEvent, 'request'> {
  // Of an inline payload, a value of JSON is all that its file has.
  if (payloadFile === undefined)
    return { parsed: asParsed(payload as JsonValue), body: JSON.stringify(payload) ?? '' };
  const path = folder.pathFrom(from, payloadFile);
  try {
    const body = folder.read(path);
    return { parsed: isUtf8(body) ? parsePayload(body) : { error: 'not_json' }, body };
  } catch (error) {
    throw error instanceof FileProblem ? new FileProblem(`payloadFile: ${path} ${error.message}`) : error;
  }
}

function requestOf({ method, contentType, query, headers }: NonNullable<Sample['request']>): EventRequest {
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const type = lowered['content-type'];
  return {
    method,
    contentType:
      contentType === undefined ? (typeof type === 'string' ? type : 'application/json') : contentType,
    query,
    headers: lowered,
  };
}
