import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { loadedPart, loadPart } from './load-part.ts';

interface Placeholder {
  /** Shown until the code is loaded. Default: nothing. */
  placeholder?: ReactNode;
}

/** The component itself cannot have a property with this name. */
type PartProps = object & { placeholder?: never };

/** A component whose code is a separate file, and a function that loads the code before the component is shown. */
export type LazyPart<Props extends PartProps> = ((props: Props & Placeholder) => ReactNode) & {
  load(): Promise<void>;
};

/**
 * Returns a component whose code is loaded when it is first shown, or before by `loadPart`. A failure is thrown to the next boundary.
 * React's `lazy` does the same, but shows a placeholder for at least 300 ms, even if the code was loaded before.
 */
export function lazyPart<Props extends PartProps>(
  importPart: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> {
  const load = () => loadPart(importPart);
  function Part({ placeholder = null, ...props }: Placeholder) {
    const content = loadedPart(importPart);
    useLoaded(load, content !== undefined);
    return content ? createElement(content, props as Props) : placeholder;
  }
  return Object.assign(Part, { load });
}

/** Rerenders when the code is loaded, and throws if it cannot be loaded. */
function useLoaded(load: () => Promise<void>, isLoaded: boolean): void {
  const [, setLoaded] = useState(isLoaded);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    if (isLoaded) return;
    let isShown = true;
    load().then(
      () => isShown && setLoaded(true),
      (error: unknown) => isShown && setFailure({ error }),
    );
    return () => {
      isShown = false;
    };
  }, [load, isLoaded]);
  if (failure) throw failure.error;
}
