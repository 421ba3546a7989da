import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { complaintIn, type LogStyle } from './complaint.js';

const endBytes = 16_384;

/** The last line of a log that says something, at most 300 characters; empty when there is none. */
export function lastLogLine(file: string): string {
  return lastLines(file).at(-1)?.slice(0, 300) ?? '';
}

/**
 * The last complaint in a log; empty when there is none.
 * @param from where in the file to begin, in bytes: what an earlier run complained of explains nothing now
 */
export function lastComplaint(file: string, style: LogStyle, from = 0): string {
  const complaints = lastLines(file, from)
    .map((line) => complaintIn(line, style))
    .filter((complaint) => complaint !== undefined);
  // After an error's own line Node prints its properties.
  return complaints.findLast((complaint) => /^\w*Error\b/.test(complaint)) ?? complaints.at(-1) ?? '';
}

function lastLines(file: string, from = 0): string[] {
  try {
    return readEnd(file, from)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function readEnd(file: string, from: number): string {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    const start = Math.max(from, size - endBytes);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(log, buffer, 0, buffer.length, start);
    return buffer.toString('utf8');
  } finally {
    closeSync(log);
  }
}
