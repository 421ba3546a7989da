import { jsonLanguage } from '@codemirror/lang-json';

/** Where and why a text is invalid JSON. Line and column start at 1. */
export interface JsonError {
  line: number;
  column: number;
  message: string;
}

/** Returns the first error in a JSON text, or null if the text is valid. */
export function findJsonError(text: string): JsonError | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const before = text.slice(0, firstErrorPosition(text) ?? text.length).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: shorten((error as Error).message),
    };
  }
}

/** Returns the position of the first error. Browsers report it for some errors only, so the grammar of the editor finds it. */
function firstErrorPosition(text: string): number | null {
  let found: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError && found === null) found = node.from;
    },
  });
  return found;
}

/** Removes the position and the excerpt that browsers add. */
const shorten = (message: string): string =>
  message.replace(/^JSON\.parse: /, '').replace(/,? (in JSON )?at (position|line) .*$|, (\.\.\.)?".*$/s, '');
