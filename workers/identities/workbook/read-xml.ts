import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { pacer } from '../../run/pace.js';
import { damaged } from './zip-entries.js';

/** What a reader of a part wants to know of it. Names of elements are without their prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether its reader should pause after the present piece. */
  isFull?(): boolean;
}

/** Cells and attributes are far shorter. Without a limit, one of them could fill the memory. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** A piece may repeat a long shared string in each cell, and is read without a break. */
const PIECE_BYTES = 4 * 1024;

/**
 * Reads a part of a workbook as XML, piece by piece and without blocking the event loop, and calls the handler. Entities are those of XML alone, since a document type is rejected.
 * @param part its name, for errors
 * @yields after each chunk of the content, and when the handler is full, so that its reader can pause
 * @throws FileError `workbook_damaged`
 */
export async function* readXml(
  part: string,
  content: AsyncIterable<Buffer>,
  handler: XmlHandler,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const [depth, sinceEvent] = [{ now: 0 }, { bytes: 0 }];
  const fail = (reason: string) => damaged(`its part ${JSON.stringify(part)} ${reason}`);
  parser.on('error', ({ message }) => {
    throw fail(`is not XML (${message})`);
  });
  parser.on('doctype', () => {
    throw fail('declares a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent.bytes = 0;
    depth.now += 1;
    if (depth.now > MAX_DEPTH) throw fail(`has more than ${MAX_DEPTH} levels`);
    handler.open?.(withoutPrefix(name), attributes);
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  parser.on('closetag', ({ name }) => {
    sinceEvent.bytes = 0;
    depth.now -= 1;
    handler.close?.(withoutPrefix(name));
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw fail('is not UTF-8');
    }
  };
  const pause = pacer();
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      sinceEvent.bytes += piece.length;
      if (sinceEvent.bytes > MAX_TEXT_BYTES) throw fail('has a text of more than 1 MiB');
      parser.write(decode(piece));
      if (handler.isFull?.()) yield;
      await pause();
    }
    yield;
  }
  parser.write(decode());
  parser.close();
  yield;
}

/** Reads all of a part. */
export async function readWhole(
  part: string,
  content: AsyncIterable<Buffer>,
  handler: XmlHandler,
): Promise<void> {
  for await (const _ of readXml(part, content, handler));
}

export function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
