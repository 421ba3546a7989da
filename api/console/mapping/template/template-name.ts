/** Returns a name that the API accepts for a template of this title, or an empty text if the title has no usable letter. */
export const templateNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
