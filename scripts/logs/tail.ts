import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { complaintIn, type LogStyle } from './complaint.js';

const endBytes = 16_384;

/** MySQL writes with this tag that it has ended, after the reason. */
const END_TAG = ' [System] ';

/** Returns the last line of a log that is not blank, up to 300 characters, or an empty text. Skips what MySQL writes after the reason why it ends. */
export function lastLogLine(file: string): string {
  const lines = lastLines(file);
  return (lines.findLast((line) => !line.includes(END_TAG)) ?? lines.at(-1) ?? '').slice(0, 300);
}

/**
 * Returns the last warning or error in a log, or an empty text.
 * @param from where to start in the file, in bytes: errors of an earlier run explain nothing now
 */
export function lastComplaint(file: string, style: LogStyle, from = 0): string {
  const complaints = lastLines(file, from)
    .map((line) => complaintIn(line, style))
    .filter((complaint) => complaint !== undefined);
  // Node prints the properties of an error after its first line.
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
