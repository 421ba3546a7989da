import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { LookupTable } from '../../http/types.ts';
import { AccountSystemInput } from '../../identities/systems/account-system-input.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import fields from '../fields/fields.module.css';
import { keyPartsOf, type Lookup, lookupNameError, withPlace } from '../model/draft/lookups.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { LookupKey } from './lookup-key.tsx';
import { LookupResult } from './lookup-result.tsx';
import styles from './lookups.module.css';

interface LookupRowProps {
  name: string;
  lookup: Lookup;
  tables: readonly LookupTable[] | undefined;
}

/** The choice that a lookup reads identities. No table has such a name. */
const OWNER = '(owner)';

/** One lookup: its name, where it reads, its key, and the row that it finds for the sample. */
export function LookupRow({ name, lookup, tables }: LookupRowProps) {
  const { dispatch, mayWrite, selection, fieldErrors } = useEditorContext();
  const change = (changed: Lookup) => dispatch({ type: 'changeLookup', name, lookup: changed });
  const columns = tables?.find((table) => table.name === lookup.table)?.keyColumns;
  return (
    <fieldset className={fields.row} aria-label={`Lookup ${name}`}>
      <div className={fields.head} inert={selection.selected !== null}>
        {mayWrite ? <LookupName name={name} /> : <span className={fields.label}>{name}</span>}
      </div>
      <div className={fields.body}>
        <div className={styles.place} inert={selection.selected !== null}>
          <PlaceSelect name={name} lookup={lookup} tables={tables} onChange={change} />
        </div>
        {keyPartsOf(lookup).map((part, index) => (
          <LookupKey
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts are in the order of the key columns
            key={index}
            name={name}
            lookup={lookup}
            part={part}
            index={index}
            label={lookup.owner ? 'Account' : (columns?.[index] ?? 'Key')}
          />
        ))}
        <LookupResult name={name} />
        {(fieldErrors.get(`lookups.${name}`) ?? []).map(({ message }) => (
          <p key={message} className={styles.error} role="status">
            {message}
          </p>
        ))}
      </div>
    </fieldset>
  );
}

interface PlaceProps extends LookupRowProps {
  onChange: (lookup: Lookup) => void;
}

/** Which table a lookup reads, or the accounts of which system. */
function PlaceSelect({ name, lookup, tables, onChange }: PlaceProps) {
  const { mayWrite } = useEditorContext();
  const known = tables?.map((table) => table.name) ?? [];
  const own = lookup.table && !known.includes(lookup.table) ? [lookup.table] : [];
  const choose = (value: string | null) => {
    if (value === null) return;
    if (value === OWNER)
      return onChange(withPlace(lookup, { integrationId: lookup.owner?.integrationId ?? 1 }));
    const columns = tables?.find((table) => table.name === value)?.keyColumns.length ?? 1;
    onChange(withPlace(lookup, { table: value, keyColumns: columns }));
  };
  return (
    <>
      <Select
        size="xs"
        aria-label={`Table of lookup ${name}`}
        placeholder="Choose a table"
        data={[
          ...[...own, ...known].map((value) => ({ value, label: value })),
          { value: OWNER, label: 'Owner of an account' },
        ]}
        value={lookup.owner ? OWNER : (lookup.table ?? null) || null}
        allowDeselect={false}
        disabled={!mayWrite}
        onChange={choose}
      />
      {lookup.owner && (
        <AccountSystemInput
          size="xs"
          aria-label={`Account system of lookup ${name}`}
          placeholder="Account system ID"
          value={String(lookup.owner.integrationId)}
          disabled={!mayWrite}
          onValue={(text) => {
            const integrationId = Number(text);
            if (Number.isSafeInteger(integrationId)) onChange(withPlace(lookup, { integrationId }));
          }}
        />
      )}
    </>
  );
}

/** The editable name of a lookup, with a button that removes it. */
function LookupName({ name }: { name: string }) {
  const { draft, dispatch } = useEditorContext();
  const [newName, setNewName] = useState(name);
  const others = draft.lookups.map((one) => one.name).filter((one) => one !== name);
  const error = lookupNameError(newName, others);
  const rename = () => {
    if (error === null && newName !== name) dispatch({ type: 'renameLookup', from: name, to: newName });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') rename();
    if (key === 'Escape') setNewName(name);
  };
  const remove = () => {
    dispatch({ type: 'removeLookup', name });
    announce(`Removed lookup ${name}`);
  };
  return (
    <div className={fields.custom}>
      <TextInput
        size="xs"
        aria-label={`Name of lookup ${name}`}
        value={newName}
        onChange={({ currentTarget }) => setNewName(currentTarget.value)}
        onBlur={rename}
        onKeyDown={onKeyDown}
        error={error}
      />
      <ActionIcon variant="subtle" color="gray" onClick={remove} aria-label={`Remove lookup ${name}`}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}
