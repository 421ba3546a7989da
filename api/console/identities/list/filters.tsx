import { NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { FilterInput } from '../../parts/filters/filter-input.tsx';
import { SavedViewsMenu } from '../../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../../parts/filters/time-filter.tsx';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { countFilters, isEmail, isIntegrationId, type ListState, NO_FILTERS } from '../list-state.ts';
import { labelOf, useAccountSystems } from '../systems/use-account-systems.ts';
import { useIdentities } from '../use-identities.ts';
import { useListState } from '../use-list-state.ts';
import styles from './list.module.css';

const KEYS = [
  { value: 'email', label: 'Email' },
  { value: 'identity', label: 'Identity' },
];
/** There may be 100 million identities, so their values are neither listed nor counted. */
const SYSTEMS_NOTE =
  'From this page of the list, and those that have names. Values are not counted here. Type any other number.';
const NOTE = 'From this page of the list. Values are not counted here. Type any other.';

/** The filters of the identity list. Each of them but the search has an index. */
export function Filters() {
  const { state, change } = useListState();
  const rows = useIdentities(state).data?.data ?? [];
  const systems = useAccountSystems();
  const set = (changes: Partial<ListState>) => change(changes, { replace: true });
  return (
    <FilterBar
      count={countFilters(state)}
      clear={() => set(NO_FILTERS)}
      search={<Search state={state} change={set} />}
      actions={<SavedViewsMenu list="identities" />}
    >
      <TimeFilter
        label="Changed"
        isOpenEnded
        range={{ last: state.last, from: state.from, to: [] }}
        change={({ last, from }, { isStep = false } = {}) =>
          change({ ...(last && { last }), ...(from && { from }) }, { replace: !isStep })
        }
      />
      <ValueFilter
        label="Account system"
        values={state.integrationIds}
        change={(integrationIds) => set({ integrationIds })}
        options={distinct([
          ...rows.map(({ integrationId }) => String(integrationId)),
          ...systems.map(({ integrationId }) => String(integrationId)),
        ]).map(({ value }) => ({ value, label: labelOf(systems, value) }))}
        note={SYSTEMS_NOTE}
        isFree
        isValid={isIntegrationId}
      />
      <ValueFilter
        label="Owner"
        values={state.emails}
        change={(emails) => set({ emails })}
        options={distinct(rows.map(({ email }) => email))}
        note={NOTE}
        isFree
        isValid={isEmail}
      />
    </FilterBar>
  );
}

interface SearchProps {
  state: ListState;
  change: (changes: Partial<ListState>) => void;
}

const Search = ({ state, change }: SearchProps) => (
  <div className={styles.search}>
    <NativeSelect
      className={styles.searchKey}
      aria-label="Search by"
      data={KEYS}
      value={state.searchKey}
      onChange={({ currentTarget }) => change({ searchKey: currentTarget.value as ListState['searchKey'] })}
    />
    <FilterInput
      className={styles.searchValue}
      aria-label="Search"
      type="search"
      placeholder="Any part of the value"
      leftSection={<IconSearch size={16} />}
      maxLength={255}
      value={state.searchValue}
      change={(searchValue) => change({ searchValue })}
    />
  </div>
);

const distinct = (values: readonly string[]) => [...new Set(values)].map((value) => ({ value }));
