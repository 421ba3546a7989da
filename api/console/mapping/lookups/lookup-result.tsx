import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { NoRow } from '../../lookups/no-row.tsx';
import { tableAddress } from '../../tables/use-table.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './lookups.module.css';

/** The row that a lookup finds for the alert that is shown, or why there is none. */
export function LookupResult({ name }: { name: string }) {
  const { alert } = useEditorContext();
  const found = alert?.lookups?.[name];
  if (!found) return null;
  const { table, revision, row } = found;
  if (row)
    return (
      <p className={styles.result} data-tone="good" data-testid={`result of lookup ${name}`}>
        {Object.entries(row)
          .map(([column, text]) => `${column} ${text}`)
          .join(' · ')}
        {table !== null && revision !== null && (
          <>
            {' '}
            <Anchor component={Link} href={tableAddress(table)} inherit underline="always">
              {table}, revision {revision}
            </Anchor>
          </>
        )}
      </p>
    );
  return (
    <p className={styles.result} data-tone="warn" data-testid={`result of lookup ${name}`}>
      <NoRow found={found} />
    </p>
  );
}
