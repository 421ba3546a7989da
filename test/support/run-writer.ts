/** The program that a worker in a test's process starts for large uploads. */
export const runWriter = new URL('./run-writer-thread.mjs', import.meta.url);
