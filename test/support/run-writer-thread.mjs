import { register } from 'node:module';

/** Runs the thread of `RunWriter` from its source: a thread does not inherit how Jest loads TypeScript. */
register('./jest/modules.mjs', import.meta.url);
await import('../../workers/identities/spool/run-writer-thread.ts');
