import { Text } from '@mantine/core';
import type { FeedRun } from '../../http/types.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import styles from './feeds.module.css';

type Rows = NonNullable<FeedRun['file']>['sample'];

/** The first rows of the last file, and what the recipe made of them. */
export const Sample = ({ rows }: { rows: Rows }) => (
  <Section
    title="First rows"
    about="The cells of the last file that was fetched, and the identities that the recipe makes of them."
    wide
  >
    <DataTable label="Rows of the file" head={['Line', 'In the file', 'Email', 'Account system', 'Identity']}>
      {rows.map(({ line, row, identity, errors }) => (
        <Table.Tr key={line}>
          <Table.Td>{line}</Table.Td>
          <Table.Td className={styles.source}>
            {Object.entries(row)
              .map(([name, text]) => `${name}: ${text || '–'}`)
              .join(' · ')}
          </Table.Td>
          {identity ? (
            <>
              <Table.Td>{identity.email}</Table.Td>
              <Table.Td>{identity.integrationId}</Table.Td>
              <Table.Td>
                <bdi>{identity.identity}</bdi>
              </Table.Td>
            </>
          ) : (
            <Table.Td colSpan={3}>
              {errors.map(({ field, message }) => (
                <Text key={`${field} ${message}`} size="sm" c="red">
                  {field ? `${field} ${message}` : message}
                </Text>
              ))}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  </Section>
);
