import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from '@swc/core';

/** A project file that another one imports, relative to the project. */
export interface Import {
  target: string;
  /** Whether the import disappears when the types are stripped. */
  typesOnly: boolean;
}

/** Returns every project file that a module imports, re-exports or loads, in any form. */
export const importsOf = (file: string, source?: string): Import[] =>
  namesOf(file, source)
    .filter(([name]) => name.startsWith('.'))
    .map(([name, typesOnly]) => ({ target: relative('.', join(dirname(file), name)), typesOnly }));

/** Returns the names of the npm packages that a module needs when it runs. */
export const packagesOf = (file: string): string[] =>
  namesOf(file)
    .filter(([name, typesOnly]) => !typesOnly && !name.startsWith('.') && !name.includes(':'))
    .map(([name]) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );

type Name = [name: string, typesOnly: boolean];

const read = new Map<string, Name[]>();

function namesOf(file: string, source?: string): Name[] {
  if (source !== undefined) return namesOfSource(file, source);
  const known = read.get(file) ?? namesOfSource(file, readFileSync(file, 'utf8'));
  read.set(file, known);
  return known;
}

function namesOfSource(file: string, source: string): Name[] {
  const { body } = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x') });
  return [...namesIn(body)];
}

// biome-ignore lint/suspicious/noExplicitAny: a node of the syntax tree; each form below has its own shape.
type SyntaxNode = any;

function* namesIn(node: SyntaxNode): Generator<Name> {
  if (typeof node !== 'object' || node === null) return;
  const named = forms[node.type]?.(node);
  if (named !== undefined) yield [named, typesOnly(node)];
  for (const child of Object.values(node)) yield* namesIn(child);
}

/** The forms in which a module can import another one. */
const forms: Record<string, (node: SyntaxNode) => string | undefined> = {
  ImportDeclaration: ({ source }) => textOf(source),
  ExportNamedDeclaration: ({ source }) => textOf(source),
  ExportAllDeclaration: ({ source }) => textOf(source),
  TsImportType: ({ argument }) => textOf(argument),
  TsExternalModuleReference: ({ expression }) => textOf(expression),
  CallExpression: ({ callee, arguments: [first] }) =>
    isLoader(callee) ? textOf(first?.expression) : undefined,
  NewExpression: ({ callee, arguments: given }) =>
    callee.value === 'URL' && given?.length === 2 ? moduleOf(textOf(given[0].expression)) : undefined,
};

/** `import type`, `export type` or `import('…').Name` in a type. `import { type Name }` still loads the module. */
function typesOnly({ type, typeOnly }: SyntaxNode): boolean {
  return type === 'TsImportType' || typeOnly === true;
}

/** `import(…)`, `require(…)`, `import.meta.glob(…)` */
function isLoader({ type, value, object, property }: SyntaxNode): boolean {
  return (
    type === 'Import' || value === 'require' || (object?.kind === 'import.meta' && property.value === 'glob')
  );
}

/** A path may be that of a folder. */
function moduleOf(address: string | undefined): string | undefined {
  return /\.\w+$/.test(address ?? '') ? address : undefined;
}

/** Returns the value of a string, or of a template without expressions. */
function textOf(node: SyntaxNode): string | undefined {
  return node?.type === 'TemplateLiteral' ? node.quasis[0].cooked : node?.value;
}

/**
 * Returns the files that import each other in a circle, each with those of its imports that lead back to it.
 * @param imports of each file, the files that it imports
 */
export function filesInCycles(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const leadingBack = (file: string) =>
    (imports.get(file) ?? []).filter((target) => target === file || reached.get(target)?.has(file));
  const found = [...imports.keys()].map((file): [string, string[]] => [file, leadingBack(file)]);
  return new Map(found.filter(([, targets]) => targets.length > 0));
}

/** Returns every file that a file imports, directly or indirectly. */
function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const next = [file];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    for (const target of imports.get(one) ?? []) {
      if (!reached.has(target)) next.push(target);
      reached.add(target);
    }
  }
  return reached;
}
