/**
 * No need for so much: V8 lets a heap grow the further before it collects the whole of it, the more it may take. By
 * default, with some GB, 30 MB of live data grew to 120 in a burst, and the API took 224 MB; so it takes 150, and less
 * time as well. The Dockerfile has it too.
 */
export const apiNodeOptions = ['--max-old-space-size=1024'];
