import { useSearchParams } from 'wouter';
import { changeState, type ListState, readState } from './list-state.ts';

/** What of the list is shown, kept in the address of the page. */
export function useListState() {
  const [search, setSearch] = useSearchParams();
  const change = (changes: Partial<ListState>, options?: { replace: boolean }) =>
    setSearch((before) => changeState(before, changes), options);
  return { state: readState(search), change };
}
