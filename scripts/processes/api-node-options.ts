/**
 * Measured, see docs/architecture.md. V8 lets a heap grow the further before it collects the whole of it, the more it may
 * take: by default 30 MB of live data grew to 120 in a burst. And events in flight outlive small young generations: with
 * more room there they die young, which costs less. The Dockerfile has both too.
 */
export const apiNodeOptions = ['--max-old-space-size=1024', '--max-semi-space-size=24'];
