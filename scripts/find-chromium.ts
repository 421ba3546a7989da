import { findProgram } from './private-servers/find.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where macOS keeps applications, as absolute names. */
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The absolute path of a Chromium: `CHROMIUM_PATH` alone where that is set, else what PATH has.
 * @returns undefined where there is none
 */
export function findChromium({ CHROMIUM_PATH: own, PATH: path = '' } = process.env): string | undefined {
  if (own) return findProgram(own, '/');
  const places = [
    ...names.map((name) => [name, path] as const),
    ...applications.map((file) => [file, '/'] as const),
  ];
  return places.map(([name, folders]) => findProgram(name, folders)).find((found) => found !== undefined);
}
