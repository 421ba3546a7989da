import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { tableAddress } from '../../tables/use-table.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './lookups.module.css';

/** The row that a lookup finds for the alert that is shown, or why there is none. */
export function LookupResult({ name }: { name: string }) {
  const { alert } = useEditorContext();
  const found = alert?.lookups?.[name];
  if (!found) return null;
  const { table, revision, key, row, reason, nearest } = found;
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
      {reason === 'no_key' && 'The key has no value in this payload.'}
      {reason === 'key_too_long' && 'The key has more than 1,000 characters.'}
      {reason === 'no_table' && `There is no table ${table}.`}
      {reason === 'no_row' &&
        (table === null ? `The account ${key} has no owner.` : `No row for key ${key}.`)}
      {reason === 'too_many_keys' && 'The event has too many different keys.'}
      {reason === 'too_much_text' && 'Too much text was found for the event before.'}
      {nearest !== null && ` The nearest is ${nearest}.`}
    </p>
  );
}
