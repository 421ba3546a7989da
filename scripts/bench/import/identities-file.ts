import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/**
 * Writes a realistic CSV: addresses of about 35 characters, 20 account systems, identities of several kinds, unordered.
 * The same arguments always give the same file.
 * @param first number of the first row; files with other numbers have other rows
 */
export async function writeIdentitiesFile(path: string, rows: number, first = 0): Promise<void> {
  const file = createWriteStream(path);
  const next = random(rows + first);
  file.write('email,integrationId,identity\n');
  let text = '';
  for (let row = 0; row < rows; row++) {
    text += `${rowText(first + scatter(row, rows), next)}\n`;
    if (text.length < 1_000_000 && row + 1 < rows) continue;
    if (!file.write(text)) await new Promise<void>((resolve) => file.once('drain', resolve));
    text = '';
  }
  file.end();
  await finished(file);
}

/** Returns the position of a number in an order that looks random and contains each once: the step shares no factor with the count. */
function scatter(row: number, rows: number): number {
  const step = 611_953;
  return rows % step === 0 ? row : Number((BigInt(row) * BigInt(step)) % BigInt(rows));
}

function rowText(number: number, next: () => number): string {
  const person = number >> 1;
  const email = `first.last${person}@sub-${person % 97}.example-company.com`;
  const hex = next().toString(16).padStart(8, '0');
  const identity = [
    String(10_000_000 + number),
    `${hex}-${number.toString(16).padStart(8, '0')}-4c1d`,
    `login-${hex}-${number}`,
  ][number % 3];
  return `${email},${1 + (number % 20)},${identity}`;
}

/** The linear congruential generator of Numerical Recipes: random enough for text that should not compress well. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}
