import { isUtf8 } from 'node:buffer';

/** Returns the identifier in a path. Some clients escape it and some do not, so what cannot be unescaped is meant as it is. */
export function identifierIn([captured = '']: readonly string[]): string {
  const bytes = Buffer.from(captured, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString() : captured;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
