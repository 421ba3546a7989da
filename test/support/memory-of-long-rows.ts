import { readCsv } from '../../workers/identities/parse/read-csv.js';

/**
 * Reads one batch of 200 valid rows with a note of 500 kB each, which is not imported; prints the number of rows. A program of its own, so
 * that its heap can be limited.
 */
const ROWS = 200;
const note = 'x'.repeat(500_000);

async function* source() {
  yield Buffer.from('email,integrationId,identity,note\n');
  for (let i = 0; i < ROWS; i++)
    yield Buffer.from(`ada.lovelace@example.com,7,account-number-${i},${note}\n`);
}

let rows = 0;
for await (const { records } of readCsv(source(), { limits: { maxBytes: 2 ** 40, maxRows: 1_000 } }))
  rows += records.length;
process.stdout.write(JSON.stringify({ rows }));
