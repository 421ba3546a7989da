import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** A regular expression as a source file writes it. */
export interface Pattern {
  file: string;
  source: string;
  flags: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a node of the syntax tree; each form has its own shape.
type SyntaxNode = any;

/** Lists the regular expressions of the project's sources, and the files that build some from text at run time. */
export function patternsOfSources(): { literals: Pattern[]; builders: string[] } {
  const files = ['db', 'workers', 'api', 'scripts'].flatMap((folder) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const found = files.map((file) => patternsIn(file, readFileSync(file, 'utf8')));
  return {
    literals: found.flatMap(({ literals }) => literals),
    builders: files.filter((_, index) => found[index]?.isBuilder),
  };
}

/** Lists the regular expressions of one file, and says whether it calls `RegExp`. */
export function patternsIn(file: string, text: string): { literals: Pattern[]; isBuilder: boolean } {
  const nodes = [...nodesIn(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') }).body)];
  const literals = nodes.filter(({ type }) => type === 'RegExpLiteral');
  return {
    literals: literals.map(({ pattern, flags }) => ({ file, source: pattern, flags })),
    isBuilder: nodes.some(({ callee }) => callee?.value === 'RegExp'),
  };
}

function* nodesIn(node: SyntaxNode): Generator<SyntaxNode> {
  if (typeof node !== 'object' || node === null) return;
  if (node.type) yield node;
  for (const child of Object.values(node)) yield* nodesIn(child);
}
