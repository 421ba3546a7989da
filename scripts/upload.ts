import { processContext } from './text/process-context.js';
import { runUpload } from './upload/run.js';

/** `npm run upload`: uploads a CSV file to Muster and shows the result. */
process.exitCode = await runUpload(process.argv.slice(2), processContext());
