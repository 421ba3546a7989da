import { Select, TagsInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { FilterInput } from '../../parts/filters/filter-input.tsx';
import { isIntegrationId, type ListState } from '../list-state.ts';
import { useListState } from '../use-list-state.ts';
import styles from './list.module.css';

const KEYS = [
  { value: 'email', label: 'Email' },
  { value: 'identity', label: 'Identity' },
];

/** The search and the integration filter of the identity list. */
export function Filters() {
  const { state, change } = useListState();
  return (
    <search className={styles.filters}>
      <Select
        className={styles.searchKey}
        label="Search by"
        data={KEYS}
        value={state.searchKey}
        allowDeselect={false}
        onChange={(value) => change({ searchKey: value as ListState['searchKey'] }, { replace: true })}
      />
      <FilterInput
        className={styles.searchValue}
        label="Search"
        type="search"
        placeholder="Any part of the value"
        leftSection={<IconSearch size={16} />}
        maxLength={255}
        value={state.searchValue}
        change={(searchValue) => change({ searchValue }, { replace: true })}
      />
      <TagsInput
        className={styles.integrations}
        label="Integration IDs"
        placeholder={state.integrationIds.length > 0 ? '' : 'Any'}
        inputMode="numeric"
        splitChars={[',', ' ', ';']}
        value={state.integrationIds}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear integration IDs' }}
        onChange={(values) => change({ integrationIds: values.filter(isIntegrationId) }, { replace: true })}
      />
    </search>
  );
}
