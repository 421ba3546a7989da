import { isUtf8 } from 'node:buffer';
import type { EventRequest, JsonValue, ParsedPayload } from '../../../workers/mapping/index.js';
import { asParsed, parsePayload } from '../../../workers/mapping/index.js';
import { FileProblem, type Folder } from '../files/folder.js';
import { type Sample, sampleRequest } from '../files/samples-schema.js';
import { checkFile } from '../files/schema-findings.js';
import type { Finding } from '../finding.js';
import { YamlFile } from '../yaml/yaml-file.js';

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
 * @throws FileProblem if the file of its payload or request cannot be read
 */
export function eventOf(
  { payload, payloadFile, request: given, requestFile }: Sample,
  from: string,
  folder: Folder,
): SampleEvent {
  if (requestFile !== undefined) {
    const path = folder.pathFrom(from, requestFile);
    const request = requestIn(path, folder);
    return { ...bodyOf(request, path, folder), request: requestOf(request) };
  }
  const sent = given ?? { payload, payloadFile };
  return { ...bodyOf(sent, from, folder), request: given && requestOf(given) };
}

type Request = NonNullable<Sample['request']>;

/** @throws FileProblem */
function requestIn(path: string, folder: Folder): Request {
  const yaml = named('requestFile', path, () => new YamlFile(path, folder.readText(path), 'exact'));
  const { content, findings } = checkFile(yaml, sampleRequest, 'invalid_file');
  if (content) return content;
  throw invalid('requestFile', findings);
}

/** Runs something with a file, and names the file in its problem. */
function named<Result>(member: string, path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof FileProblem ? new FileProblem(`${member}: ${path} ${error.message}`) : error;
  }
}

function invalid(member: string, [first]: readonly Finding[]): FileProblem {
  return new FileProblem(
    first ? `${member}: ${first.file}:${first.line}:${first.column}: ${first.message}` : member,
  );
}

/** A payload of YAML is sent as JSON: its file is only another way to write it. */
const YAML = /\.ya?ml$/i;

function bodyOf(
  { payload, payloadFile }: Pick<Sample, 'payload' | 'payloadFile'>,
  from: string,
  folder: Folder,
): Omit<SampleEvent, 'request'> {
  // Of an inline payload, a value of JSON is all that its file has.
  if (payloadFile === undefined)
    return { parsed: asParsed(payload as JsonValue), body: JSON.stringify(payload) ?? '' };
  const path = folder.pathFrom(from, payloadFile);
  if (YAML.test(path)) {
    const yaml = named('payloadFile', path, () => new YamlFile(path, folder.readText(path), 'exact'));
    if (yaml.findings.length > 0) throw invalid('payloadFile', yaml.findings);
    return { parsed: asParsed(yaml.value), body: JSON.stringify(yaml.value) ?? '' };
  }
  const body = named('payloadFile', path, () => folder.read(path));
  return { parsed: isUtf8(body) ? parsePayload(body) : { error: 'not_json' }, body };
}

function requestOf({ method, contentType, query, headers }: Request): EventRequest {
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
