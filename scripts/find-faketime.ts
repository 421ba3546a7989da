import { existsSync } from 'node:fs';

/** Where Debian and other distributions install the library. */
const files = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
];

/** Returns the absolute path of libfaketime, which sets the clock of single processes; undefined if it is not installed. */
export const findFaketime = (): string | undefined => files.find((file) => existsSync(file));
