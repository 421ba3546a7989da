import type { Mapping, WebhookTemplate } from '../../http/types.ts';

/** Returns the templates with every word of the search in their name or title: generic ones first, then by title. */
export function findTemplates<Template extends Pick<WebhookTemplate, 'name' | 'title'>>(
  templates: readonly Template[],
  search: string,
): Template[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, title }: Template) =>
    words.every((word) => `${name} ${title}`.toLowerCase().includes(word));
  return templates.filter(matches).sort(byKindAndTitle);
}

const isGeneric = ({ name }: Pick<WebhookTemplate, 'name'>): boolean => name.startsWith('generic-');

type Titled = Pick<WebhookTemplate, 'name' | 'title'>;

const byKindAndTitle = (a: Titled, b: Titled): number =>
  Number(isGeneric(b)) - Number(isGeneric(a)) || a.title.localeCompare(b.title, 'en');

/** Returns the names of the alert fields and of the custom fields that a template fills, and whether it deduplicates events. */
export function filledFields({ mapping }: Pick<WebhookTemplate, 'mapping'>): {
  fields: string[];
  custom: string[];
  deduplicates: boolean;
} {
  const { fields, custom } = mapping as Mapping;
  const { status: _, occurrence: __, dedupKey, ...shown } = fields;
  return {
    fields: Object.keys(shown),
    custom: Object.keys(custom ?? {}),
    deduplicates: dedupKey !== undefined,
  };
}
