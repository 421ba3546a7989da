/**
 * What requests leave behind is collected from the young part of the heap: by default that may take 48 MB, and a burst
 * of 30 s then held 233 MB resident instead of 187. The Dockerfile has it too.
 */
export const apiNodeOptions = ['--max-semi-space-size=8'];
