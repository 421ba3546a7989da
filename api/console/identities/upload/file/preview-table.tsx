import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Table } from '../../../parts/lists/table.tsx';
import { Badge } from '../../../parts/values/badge.tsx';
import { Message } from '../../../parts/values/message.tsx';
import { wholeNumber } from '../../../text/quantities.ts';
import { fieldsOf } from '../columns/column-choice.ts';
import styles from '../upload.module.css';
import type { Mode } from '../upload-state.ts';

interface PreviewTableProps {
  rows: UploadPreview['rows'];
  mode: Mode;
}

/** Rows as an upload would read them. Below a rejected row is the reason. */
export const PreviewTable = ({ rows, mode }: PreviewTableProps) => (
  <div className={styles.preview}>
    <DataTable label="First rows" head={['Line', ...fieldsOf(mode)]}>
      {rows.map((row) => (
        <Fragment key={row.line}>
          <Table.Tr data-rejected={row.errors.length > 0 || undefined}>
            <Table.Td>{wholeNumber(row.line)}</Table.Td>
            {fieldsOf(mode).map((field) => (
              <Table.Td key={field}>
                <bdi>{row[field]}</bdi>
              </Table.Td>
            ))}
          </Table.Tr>
          {row.errors.length > 0 && (
            <Table.Tr>
              <Table.Td colSpan={1 + fieldsOf(mode).length} className={styles.reason}>
                <Badge tone="bad">rejected</Badge>{' '}
                <Text span size="sm">
                  <Message text={row.errors.map(describeError).join('; ')} />
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  </div>
);

const describeError = ({ field, message }: { field: string | null; message: string }): string =>
  field ? `\`${field}\` ${message}` : message;
