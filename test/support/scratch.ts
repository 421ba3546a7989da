import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where throw-away data is quickest: in memory where the system has a memory disk. */
export function scratchParent(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}
