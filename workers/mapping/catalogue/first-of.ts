/** A template that renders the first of some paths that is there; the paths lead to text or numbers. */
export function firstOf(...paths: [string, ...string[]]): string {
  const [path, ...others] = paths;
  const [next, ...rest] = others;
  if (next === undefined) return `{{${path}}}`;
  return `{{#${path}}}{{.}}{{/${path}}}{{^${path}}}${firstOf(next, ...rest)}{{/${path}}}`;
}
