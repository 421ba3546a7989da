import { jsonLanguage } from '@codemirror/lang-json';

/** Where and why a text is no JSON. Line and column count from 1. */
export interface JsonError {
  line: number;
  column: number;
  message: string;
}

/** What keeps a text from being JSON; null: nothing does. */
export function findJsonError(text: string): JsonError | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const before = text.slice(0, firstErrorPosition(text) ?? text.length).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: inShort((error as Error).message),
    };
  }
}

/** Browsers tell the position of some faults only, each in its own way; the grammar knows it of all. */
function firstErrorPosition(text: string): number | null {
  let found: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError && found === null) found = node.from;
    },
  });
  return found;
}

/** Without the browser's own place and its piece of the text. */
const inShort = (message: string): string =>
  message.replace(/^JSON\.parse: /, '').replace(/,? (in JSON )?at (position|line) .*$|, (\.\.\.)?".*$/s, '');
