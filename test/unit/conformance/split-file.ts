import { showCell } from '../../../workers/identities/decode/byte-text.js';
import { openDecoder } from '../../../workers/identities/decode/decode.js';
import { chooseDelimiter } from '../../../workers/identities/header/names.js';
import { readPreamble } from '../../../workers/identities/header/preamble.js';
import { RecordSplitter } from '../../../workers/identities/parse/split-records.js';

export interface SplitRecord {
  cells: string[];
  line: number;
  error: string | null;
}

/** Decodes a file, finds its delimiter in its first record, and splits it into records, whatever its columns. */
export function splitFile(file: Buffer, charset?: string): SplitRecord[] {
  const { decoder, skip } = openDecoder(file, charset);
  const text = Buffer.concat([decoder.write(file.subarray(skip)), decoder.end()]);
  const { bytes: header } = readPreamble(text, true);
  const records: SplitRecord[] = [];
  const splitter = new RecordSplitter(chooseDelimiter(header), 1, (cells, line, error) =>
    records.push({ cells: cells.map(showCell), line, error: error?.code ?? null }),
  );
  splitter.write(text);
  splitter.end();
  return records;
}
