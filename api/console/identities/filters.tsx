import { Select, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './identities.module.css';
import { isIntegrationId, type ListState } from './list-state.ts';
import { useListState } from './use-list-state.ts';

const TYPING_MS = 300;
const KEYS = [
  { value: 'email', label: 'email' },
  { value: 'identity', label: 'identity' },
];

/** Which identities are shown. */
export function Filters() {
  const { state, change } = useListState();
  return (
    <search className={styles.filters}>
      <Select
        className={styles.searchKey}
        label="Search in"
        data={KEYS}
        value={state.searchKey}
        allowDeselect={false}
        onChange={(value) => change({ searchKey: value as ListState['searchKey'] }, { replace: true })}
      />
      <SearchValue />
      <TagsInput
        className={styles.integrations}
        label="Integration ids"
        placeholder={state.integrationIds.length > 0 ? '' : 'any'}
        inputMode="numeric"
        splitChars={[',', ' ', ';']}
        value={state.integrationIds}
        clearable
        clearButtonProps={{ 'aria-label': 'Show all integrations' }}
        onChange={(values) => change({ integrationIds: values.filter(isIntegrationId) }, { replace: true })}
      />
    </search>
  );
}

/** What is typed is searched for once the typing pauses. */
function SearchValue() {
  const { state, change } = useListState();
  const [typed, setTyped] = useState(state.searchValue);
  const [searched, setSearched] = useState(state.searchValue);
  const search = useDebouncedCallback((searchValue: string) => {
    setSearched(searchValue);
    change({ searchValue }, { replace: true });
  }, TYPING_MS);
  // The address was changed by something else: back, or "show all".
  if (state.searchValue !== searched) {
    setSearched(state.searchValue);
    setTyped(state.searchValue);
  }
  return (
    <TextInput
      className={styles.searchValue}
      label="Search for"
      type="search"
      placeholder="any part of it"
      leftSection={<IconSearch size={16} />}
      maxLength={255}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
