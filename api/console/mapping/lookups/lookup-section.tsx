import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { announce } from '../../parts/feedback/announce.tsx';
import { moveAmongPlaces } from '../insert/insert-button.tsx';
import shared from '../mapping.module.css';
import { MAX_LOOKUPS } from '../model/draft/lookups.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { LookupRow } from './lookup-row.tsx';
import styles from './lookups.module.css';
import { useTables } from './use-tables.ts';

/** What the mapping looks up in tables and identities. What is found is a source of fields, next to the payload. */
export function LookupSection() {
  const { draft, dispatch, mayWrite, selection } = useEditorContext();
  const tables = useTables();
  if (!mayWrite && draft.lookups.length === 0) return null;
  const add = () => {
    const [first] = tables ?? [];
    dispatch({
      type: 'addLookup',
      table: first?.name ?? '',
      keyColumns: first?.keyColumns.length ?? 1,
    });
    announce('Added a lookup. Choose its table, and drop a field on its key.');
  };
  return (
    <section
      className={`${shared.card} ${styles.section}`}
      aria-labelledby="lookups"
      onKeyDown={moveAmongPlaces}
    >
      <h2 id="lookups" className={shared.cardTitle}>
        Lookups
      </h2>
      {draft.lookups.length === 0 && (
        <p className={shared.note}>
          Take fields from a lookup table, or the email of the person who owns an account.
        </p>
      )}
      {draft.lookups.map(({ name, lookup }) => (
        <LookupRow key={name} name={name} lookup={lookup} tables={tables} />
      ))}
      {mayWrite && draft.lookups.length < MAX_LOOKUPS && (
        <div>
          <Button
            size="compact-sm"
            px={0}
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={add}
            disabled={selection.selected !== null}
          >
            Lookup
          </Button>
        </div>
      )}
    </section>
  );
}
