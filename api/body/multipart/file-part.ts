import { badRequest } from '../../http/errors.js';
import type { Headers } from '../content-headers.js';
import { decodeWords, malformedHeader, parseHeader } from '../header-value.js';
import { readHead, unexpectedPart } from './multipart.js';
import { partContent } from './part-content.js';

const DISPOSITION = 'Content-Disposition';
/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/;

/** The file of a multipart body. */
export interface FilePart {
  headers: Headers;
  /** Throws if something else follows the file. */
  content: AsyncGenerator<Buffer>;
}

/**
 * Opens the one part of a multipart body, a file named `file`.
 * @param limit of its content, in bytes
 * @throws RequestError 400 for another part or none, or as {@link readHead}. So does `content`, or as {@link partContent}
 */
export async function openFilePart(
  contentType: string,
  body: AsyncGenerator<Buffer>,
  limit: number,
): Promise<FilePart> {
  const boundary = boundaryOf(contentType);
  const head = await readHead(body, boundary);
  if (head === null) throw fileMissing('Send the CSV as the multipart file part "file".');
  const fileName = checkFilePart(head.headers);
  const content = partContent(continued(head.rest, body), boundary, limit);
  return { headers: head.headers, content: fileName === '' ? required(content) : content };
}

/** Browsers send a part without a name and without content if no file was chosen. */
async function* required(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes === 0) throw fileMissing('No file was chosen: the part "file" is empty and has no filename.');
}

async function* continued(rest: Buffer, body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield rest;
    yield* body;
  } finally {
    await body.return(undefined);
  }
}

function boundaryOf(contentType: string): string {
  const boundary = parseHeader('Content-Type', contentType).parameters.get('boundary');
  if (boundary === undefined || boundary === '')
    throw badBoundary(
      'The Content-Type header has no multipart boundary. Let the HTTP client set this header.',
    );
  if (!BOUNDARY.test(boundary))
    throw badBoundary('The multipart boundary must have 1 to 70 printable ASCII characters.');
  return boundary;
}

function nameOf(headers: Headers): string {
  const { value, parameters } = parseHeader(DISPOSITION, headers.get('content-disposition') ?? '');
  if (value !== 'form-data')
    throw malformedHeader(DISPOSITION, 'each part must have it, with the value form-data');
  return decodeWords(parameters.get('name') ?? '');
}

/** Returns the name of the file as it was sent. */
function checkFilePart(headers: Headers): string {
  const name = nameOf(headers);
  if (name !== 'file') throw unexpectedPart(name);
  const fileName = parseHeader(DISPOSITION, headers.get('content-disposition') ?? '').parameters.get(
    'filename',
  );
  if (fileName === undefined)
    throw badRequest(
      'unexpected_part',
      'The part "file" is a field, not a file: its `Content-Disposition` has no filename.',
    );
  return fileName;
}

const badBoundary = (message: string) => badRequest('malformed_multipart', message);
const fileMissing = (message: string) => badRequest('file_missing', message);
