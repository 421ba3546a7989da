import { readCsv } from '../../workers/identities/parse/read-csv.js';
import { RejectedFile } from '../../workers/identities/rejected/rejected-file.js';

/**
 * Reads 60 invalid rows of 1 MB of quotes and writes their rejected file; prints the number of rows and by how many bytes
 * this raised the peak memory. A program of its own: what tests did before in the same process would hide or add memory.
 */
const ROWS = 60;
const row = Buffer.from(`a@x.org,7,"${'""'.repeat(499_000)}"\n`);

async function* source() {
  yield Buffer.from('email,integrationId,identity\n');
  for (let i = 0; i < ROWS; i++) yield row;
}

const store = {
  write: async (_key: string, written: NodeJS.ReadableStream) => {
    for await (const _chunk of written);
  },
};
const peakBytes = () => process.resourceUsage().maxRSS * 1024;

const before = peakBytes();
const file = new RejectedFile(store as never, 'results/x');
let rows = 0;
for await (const { rejected } of readCsv(source(), { limits: { maxBytes: 2 ** 40, maxRows: 1_000 } })) {
  rows += rejected.length;
  await file.add(rejected);
}
await file.end();
process.stdout.write(JSON.stringify({ rows, bytes: peakBytes() - before }));
