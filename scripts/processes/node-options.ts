/**
 * What each program is started with, measured: see docs/architecture/storing-events.md and api-heap.md. V8 lets a heap grow the further before it collects
 * the whole of it, the more it may take: by default 30 MB of live data grew to 120 in a burst. From 2,048 MB on it is
 * fourfold, so both have less. And events in flight outlive small young generations: with more room they die young, which
 * costs less. The Dockerfile and compose.yaml have the same.
 */
export const nodeOptions: Record<'api' | 'worker', readonly string[]> = {
  api: ['--max-old-space-size=1024', '--max-semi-space-size=24'],
  worker: ['--max-old-space-size=2000', '--max-semi-space-size=24'],
};
