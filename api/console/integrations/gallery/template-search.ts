import type { Mapping, WebhookTemplate } from '../../http/types.ts';

/** The templates that have every word of the search in name or title; generic shapes first, the others by title. */
export function findTemplates(templates: readonly WebhookTemplate[], search: string): WebhookTemplate[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name, title }: WebhookTemplate) =>
    words.every((word) => `${name} ${title}`.toLowerCase().includes(word));
  return templates.filter(fits).sort(byKindAndTitle);
}

const isGeneric = ({ name }: Pick<WebhookTemplate, 'name'>): boolean => name.startsWith('generic-');

const byKindAndTitle = (a: WebhookTemplate, b: WebhookTemplate): number =>
  Number(isGeneric(b)) - Number(isGeneric(a)) || a.title.localeCompare(b.title, 'en');

/** The alert's fields that a template fills, its own ones after them. */
export function filledFields({ mapping }: Pick<WebhookTemplate, 'mapping'>): {
  fields: string[];
  custom: string[];
} {
  const { fields, custom } = mapping as Mapping;
  return { fields: Object.keys(fields), custom: Object.keys(custom ?? {}) };
}
