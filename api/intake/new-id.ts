import { getRandomValues } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Random numbers, generated 4 KiB at a time. With 32 bytes at a time, the package's default, they cost as much as all the rest. */
const pool = new Uint32Array(1_024);
let drawn = pool.length;

function nextUint32(): number {
  if (drawn >= pool.length) {
    getRandomValues(pool);
    drawn = 0;
  }
  return pool[drawn++] as number;
}

const generator = new V7Generator({ nextUint32 });

/** Returns a new UUIDv7. */
export const newId = (): string => generator.generate().toString();
