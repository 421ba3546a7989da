import { useSearchParams } from 'wouter';
import { changeState, type ListState, readState } from './list-state.ts';

/** Returns the state of the list, kept in the page's address, and a function that changes it. */
export function useListState() {
  const [search, setSearch] = useSearchParams();
  const change = (changes: Partial<ListState>, options?: { replace: boolean }) =>
    setSearch((before) => changeState(before, changes), options);
  return { state: readState(search), change };
}
