/**
 * What each program is started with, measured: see docs/architecture/storing-events.md and api-heap.md. V8 lets a heap grow further before a
 * full collection the larger its limit is: by default 30 MB of live data grew to 120 in a burst. From a limit of 2,048 MB on it is
 * fourfold, so both have less. Events in flight outlive a small young generation; with a larger one they are collected there, which
 * costs less. In some processes, V8 decided to allocate objects of events among the old ones at once, which then kept young ones alive: the API may
 * not. A worker keeps the code of functions that have not run for a while: V8 otherwise
 * compiles the code of imports again after each pause (docs/architecture/import-time.md). The Dockerfile and compose.yaml have the same options.
 */
export const nodeOptions: Record<'api' | 'worker', readonly string[]> = {
  api: ['--max-old-space-size=1024', '--max-semi-space-size=16', '--no-allocation-site-pretenuring'],
  worker: ['--max-old-space-size=2000', '--max-semi-space-size=16', '--no-flush-bytecode'],
};
