/** Something that a document refers to by its name. */
export interface Reference {
  kind: 'table' | 'template' | 'integration';
  name: string;
  /** Where the document names it. */
  path: readonly (string | number)[];
}

/** A document, with the members that name others. */
interface Referring {
  name?: string;
  template?: string | null | undefined;
  mapping?: { lookups?: Readonly<Record<string, { table?: string | undefined }>> | undefined } | undefined;
  integrations?: readonly string[] | null | undefined;
}

const fromMapping = ({ mapping }: Referring): Reference[] =>
  Object.entries(mapping?.lookups ?? {}).flatMap(([lookup, { table }]): Reference | [] =>
    table === undefined ? [] : { kind: 'table', name: table, path: ['mapping', 'lookups', lookup, 'table'] },
  );

/** Returns what a document of each kind refers to. */
export const REFERENCES = {
  'account system': (_document: unknown): Reference[] => [],
  table: (_document: unknown): Reference[] => [],
  template: fromMapping,
  integration: (document: Referring): Reference[] => [
    ...(document.template
      ? [{ kind: 'template' as const, name: document.template, path: ['template'] }]
      : []),
    ...fromMapping(document),
  ],
  destination: ({ integrations }: Referring): Reference[] =>
    (integrations ?? []).map((name, index) => ({ kind: 'integration', name, path: ['integrations', index] })),
};

/** Returns a reference as text, such as `the template "agents"`. */
export const shownReference = ({ kind, name }: Pick<Reference, 'kind' | 'name'>): string =>
  `the ${kind} ${JSON.stringify(name)}`;
