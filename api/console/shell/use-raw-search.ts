import { useSearch } from 'wouter/use-browser-location';

/**
 * Returns the query of the address for the router, which decodes it as a whole before it is split into parameters. That would turn the
 * value `a%20b` into `a b`, so every `%` is encoded once more.
 */
export const useRawSearch = (): string => useSearch().replaceAll('%', '%25');
