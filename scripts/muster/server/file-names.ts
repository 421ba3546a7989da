/** Returns a name as a part of a path: `Zürich – hosts` is `zurich-hosts`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug || 'unnamed';
}

/**
 * Returns the path of a new file.
 * @param taken the paths that there are; it is added
 */
export function newPath(folder: string, name: string, taken: Set<string>): string {
  const slug = slugOf(name);
  for (let number = 1; ; number++) {
    const path = `${folder}/${slug}${number === 1 ? '' : `-${number}`}.yaml`;
    if (taken.has(path)) continue;
    taken.add(path);
    return path;
  }
}

/** Returns the reference to a secret of a new file: a variable of the environment, such as `${GRAFANA_EU_SECRET}`. */
export function referenceFor(name: string, what: string): string {
  const word = slugOf(`${name} ${what}`).replaceAll('-', '_').toUpperCase();
  return `$\{${/^\d/.test(word) ? `M${word}` : word}}`;
}
