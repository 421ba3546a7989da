import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The modules that run first. They start to load the others. */
const FIRST = ['preload.ts', 'page-code.ts', 'integrations/tab-code.ts'].map(fileOf);
/** The name of their file. */
export const PRELOAD = 'preload';
/** A module that so many pages use is in the file that all lists load. */
const MANY = 6;

/**
 * Returns how the modules are put into files. By default there is a file for each set of modules that the same pages use: a list was
 * 53 files, most of them below 1 kB, and a browser requests six at a time over HTTP/1.1.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let pages: ReadonlyMap<string, number> | undefined;
  return [
    { name: PRELOAD, priority: 3, test: (id) => FIRST.includes(id) },
    // What the frame imports, whichever page is open.
    { name: 'frame', priority: 2, tags: ['$initial'] },
    {
      debugName: 'lists',
      priority: 1,
      name: (id, graph) => {
        pages ??= countPages(graph);
        return (pages.get(id) ?? 0) >= MANY ? 'lists' : null;
      },
    },
  ];
}

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** Returns how many pages use each module. */
function countPages(graph: Graph): Map<string, number> {
  const pages = new Map<string, number>();
  for (const page of FIRST.flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])) {
    const used = new Set<string>();
    addImports(page, graph, used);
    for (const id of used) pages.set(id, (pages.get(id) ?? 0) + 1);
  }
  return pages;
}

/** Adds a module and all modules that it imports statically. The index of a package imports more than is used, so it is left out. */
function addImports(id: string, graph: Graph, into: Set<string>): void {
  if (into.has(id) || /@mantine|@tabler/.test(id)) return;
  into.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(imported, graph, into);
}
