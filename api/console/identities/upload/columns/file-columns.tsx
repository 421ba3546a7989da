import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import { announce } from '../../../parts/feedback/announce.tsx';
import { Message } from '../../../parts/values/message.tsx';
import type { Upload } from '../use-upload.ts';
import { type ColumnChoice, dataInHeader, isHeaderUnknown } from './column-choice.ts';
import { ColumnsForm } from './columns-form.tsx';
import { useColumnMemory } from './use-column-memory.ts';

interface FileColumnsProps {
  upload: Upload;
  preview: UploadPreview;
  disabled: boolean;
}

/** Which column is read as which field, with a form to choose others. The form is open if the header is not understood. */
export function FileColumns({ upload, preview, disabled }: FileColumnsProps) {
  const { isRecalled, choose, reset } = useColumnMemory(upload, preview);
  const [isOpen, setIsOpen] = useState(false);
  const isUnknown = isHeaderUnknown(preview);
  const { mode, integrationId } = upload.options;
  const area = useRef<HTMLDivElement>(null);
  /** Closes the form. The focus stays here, because the button that had it disappears. */
  const close = () => {
    setIsOpen(false);
    area.current?.focus();
  };
  const use = (choice: ColumnChoice) => {
    close();
    choose(choice);
    announce('Columns chosen');
  };
  return (
    <Stack gap="sm" ref={area} tabIndex={-1} role="group" aria-label="Columns of the file">
      {isUnknown && (
        <Alert color="yellow" title="Choose the columns" role="status">
          <Text size="sm">
            <Message text={describeProblem(preview)} />
          </Text>
        </Alert>
      )}
      <HeaderWarning names={dataInHeader(preview)} />
      {!isUnknown && (
        <Group gap="sm" justify="space-between">
          <Text size="sm">
            <Message text={describeColumns(preview, integrationId)} />
          </Text>
          {!isOpen && (
            <Button variant="default" size="compact-sm" disabled={disabled} onClick={() => setIsOpen(true)}>
              Change columns
            </Button>
          )}
        </Group>
      )}
      {isRecalled && (
        <Text size="sm" c="dimmed">
          Remembered from your last file with these columns ·{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            disabled={disabled}
            onClick={() => {
              close();
              reset();
            }}
          >
            Reset
          </Anchor>
        </Text>
      )}
      {(isUnknown || isOpen) && (
        <ColumnsForm
          key={`${upload.fileNumber} ${mode} ${preview.columns.map(({ name }) => name).join('\n')}`}
          columns={preview.columns}
          mode={mode}
          integrationId={integrationId}
          onChoose={use}
          onCancel={isUnknown ? undefined : close}
        />
      )}
    </Stack>
  );
}

const HeaderWarning = ({ names }: { names: readonly string[] }) =>
  names.length > 0 && (
    <Alert color="red" title="The first line looks like data" role="alert">
      <Text size="sm">
        Muster reads the first line, with <bdi>“{names[0]}”</bdi>, as the names of the columns and does not
        import it. If it is an account, add a line with the names above it and choose the file again.
      </Text>
    </Alert>
  );

/** Returns why the columns must be chosen. */
function describeProblem({ error }: UploadPreview): string {
  const errors = error?.errors ?? [];
  const unknown = errors.flatMap(({ field, code }) => (code === 'column_missing' && field ? [field] : []));
  const others = errors.filter(({ code }) => code !== 'column_missing');
  const known = unknown
    .map((field) => `\`${field}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
  return [
    unknown.length > 0 ? `Muster does not know which column contains ${known}.` : '',
    ...others.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`),
    'Below are suggestions. Check them against the sample values.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns which columns are read as which fields, and which are ignored. */
function describeColumns({ columns, columnCount }: UploadPreview, integrationId: string): string {
  const read = columns.flatMap(({ name, field }) => (field ? [`“${name.trim()}” as \`${field}\``] : []));
  if (integrationId) read.push(`${integrationId} as \`integrationId\` of all rows`);
  const ignored = columns.filter(({ field }) => field === null).map(({ name }) => `“${name.trim()}”`);
  const more = columnCount - columns.length + Math.max(0, ignored.length - MAX_IGNORED);
  const listed = [...ignored.slice(0, MAX_IGNORED), ...(more > 0 ? [`${more} more`] : [])];
  return `Reads ${read.join(', ')}.${listed.length > 0 ? ` Ignores ${listed.join(', ')}.` : ''}`;
}

const MAX_IGNORED = 5;
