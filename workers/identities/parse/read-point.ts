import type { Header } from './header.js';

/** Where the reading of a CSV file can be taken up again without what stands before: at the start of a record. */
export interface ReadPoint {
  /** Bytes of the file before it. */
  offset: number;
  /** Its physical line, from 1. */
  line: number;
  /** Rows before it, good and refused. */
  rows: number;
  /** Blank lines and empty rows before it, and how many of them were empty rows. */
  skipped: number;
  emptyRows: number;
  header: Header;
}
