const STEP = /\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g;

/** The steps of a path: `tags[0]`, `tags.0` and `labels["a.b"].c` are all taken. */
export function parsePath(text: string): string[] {
  return [...text.trim().matchAll(STEP)].map(
    ([, index, quoted, name]) => (index ?? quoted ?? name) as string,
  );
}

/** What lies at a path, by own properties alone: a payload cannot reach what it did not bring. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let value = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The path again, but with the last step replaced by the existing key nearest to it; null when there is none near. */
export function nearestPath(root: unknown, steps: readonly string[]): string | null {
  for (let depth = 0; depth < steps.length; depth++) {
    const parent = valueAt(root, steps.slice(0, depth));
    if (typeof parent !== 'object' || parent === null) return null;
    const step = steps[depth] as string;
    if (Object.hasOwn(parent, step)) continue;
    const near = nearestKey(step, Object.keys(parent).slice(0, 200));
    return near === null ? null : [...steps.slice(0, depth), near].join('.');
  }
  return null;
}

function nearestKey(step: string, keys: readonly string[]): string | null {
  const wanted = step.toLowerCase();
  const near = keys.find((key) => {
    const folded = key.toLowerCase();
    return folded === wanted || folded.startsWith(wanted) || wanted.startsWith(folded);
  });
  return near ?? null;
}
