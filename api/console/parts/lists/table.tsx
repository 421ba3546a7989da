import { type ComponentProps, createElement } from 'react';

/** Returns a component for one element of a table. */
const element =
  <Name extends 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td'>(name: Name, role: string) =>
  (props: ComponentProps<Name>) =>
    createElement(name, { role, ...props });

/**
 * The elements of a table, with explicit roles: on a phone rows are cards, and elements that are not displayed as parts of a table
 * lose their roles. They are 7 kB smaller than Mantine's, which include its scroll area.
 */
export const Table = Object.assign(element('table', 'table'), {
  Thead: element('thead', 'rowgroup'),
  Tbody: element('tbody', 'rowgroup'),
  Tr: element('tr', 'row'),
  Th: element('th', 'columnheader'),
  Td: element('td', 'cell'),
});
