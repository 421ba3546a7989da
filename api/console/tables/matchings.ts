import type { LookupTable } from '../http/types.ts';

type Matching = LookupTable['matching'];

/** How a key finds a row, in words. */
export const MATCHINGS: Readonly<Record<Matching, { label: string; about: string }>> = {
  exact: { label: 'Exactly', about: 'The fastest. Upper and lower case differ.' },
  caseInsensitive: { label: 'Without case', about: 'As fast. Keys that differ in case only are rejected.' },
  prefix: { label: 'Longest prefix', about: 'The longest key that the value starts with.' },
  cidr: { label: 'Smallest network', about: 'Keys are networks such as 10.1.0.0/16, values are addresses.' },
  glob: {
    label: 'Pattern',
    about: 'Keys are patterns such as shop-*: * stands for any text, ? for one character.',
  },
};
