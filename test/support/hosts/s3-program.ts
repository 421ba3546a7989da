import { S3Server } from '../servers/s3-server.js';

/** Runs the file store of the tests as a program of its own: `s3-program.ts ADDRESS PORT`. It ends when its standard input does. */
const [, , address, port] = process.argv;
await new S3Server().listen(Number(port), address);
process.stdin.resume().on('end', () => process.exit());
