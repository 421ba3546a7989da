/** A file whose default export is a component, or the like. */
type ImportPart<Content> = () => Promise<{ default: Content }>;

/** What is loaded, by the function that imports it. */
const loaded = new WeakMap<ImportPart<unknown>, unknown>();

/** Loads the code of a part of the page, unless it is loaded. */
export async function loadPart(importPart: ImportPart<unknown>): Promise<void> {
  if (!loaded.has(importPart)) loaded.set(importPart, (await importPart()).default);
}

/** Returns what the file of a part exports, if it is loaded. */
export const loadedPart = <Content>(importPart: ImportPart<Content>): Content | undefined =>
  loaded.get(importPart) as Content | undefined;
