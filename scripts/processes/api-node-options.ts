/**
 * The API's requests are short, and what they leave behind is collected from the young part of the heap: by default that
 * may take 48 MB before it is looked at, and a burst then held 233 MB resident instead of 187. The Dockerfile has it too.
 */
export const apiNodeOptions = ['--max-semi-space-size=8'];
