import { Alert, Anchor, Button, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import { describeError, Failure } from '../../../parts/feedback/failure.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { Message } from '../../../parts/values/message.tsx';
import { counted, wholeNumber } from '../../../text/quantities.ts';
import { isHeaderUnknown } from '../columns/column-choice.ts';
import { FileColumns } from '../columns/file-columns.tsx';
import styles from '../upload.module.css';
import type { Upload } from '../use-upload.ts';
import { describeFormat } from './describe-format.ts';
import { PreviewTable } from './preview-table.tsx';
import type { usePreview } from './use-preview.ts';
import { hasNoPreview } from './workbook-file.ts';

/** Rows that are shown at first. */
const FIRST = 5;
/** Errors of later rows that are listed. */
const LATER = 5;

interface FilePreviewProps {
  upload: Upload;
  preview: ReturnType<typeof usePreview>;
  disabled: boolean;
}

/** How the API reads the chosen file: format, columns, the first rows, and what would be rejected. */
export function FilePreview({ upload, preview, disabled }: FilePreviewProps) {
  if (!upload.file) return null;
  if (hasNoPreview(upload.file)) return <LargeWorkbook upload={upload} disabled={disabled} />;
  if (preview.isError)
    return <Failure error={preview.error} title="Could not preview the file" retry={preview.refetch} />;
  if (!preview.data) return <Loading rows={3} />;
  const { data } = preview;
  return (
    <Stack gap="sm" component="section" aria-label="Preview" aria-busy={preview.isPlaceholderData}>
      {(data.delimiter !== null || data.sheet !== null) && (
        <Text size="sm" c="dimmed">
          {describeFormat(data)}
        </Text>
      )}
      <SheetSelect upload={upload} sheets={data.sheets ?? []} sheet={data.sheet} disabled={disabled} />
      {data.columns.length > 0 && <FileColumns upload={upload} preview={data} disabled={disabled} />}
      <FileError preview={data} />
      {data.rows.length > 0 && <Rows key={upload.fileNumber} upload={upload} preview={data} />}
      {!upload.options.charset && data.rowErrors.some(({ code }) => code === 'undecodable_bytes') && (
        <div>
          <Button
            variant="default"
            size="sm"
            disabled={disabled}
            onClick={() => upload.change({ charset: WINDOWS })}
          >
            Read the file as {WINDOWS}
          </Button>
        </div>
      )}
      <LostValues upload={upload} preview={data} disabled={disabled} />
      <Warnings preview={data} />
    </Stack>
  );
}

/** The sheet of a workbook that has several. */
function SheetSelect({
  upload,
  sheets,
  sheet,
  disabled,
}: {
  upload: Upload;
  sheets: readonly string[];
  sheet: string | null;
  disabled: boolean;
}) {
  if (sheets.length < 2) return null;
  return (
    <Select
      className={styles.sheet ?? ''}
      label="Sheet"
      placeholder="Choose a sheet"
      data={[...new Set(sheets)]}
      value={sheet ?? ''}
      disabled={disabled}
      allowDeselect={false}
      onChange={(chosen) => upload.change({ sheet: chosen ?? '' })}
    />
  );
}

/** What stands in place of the preview of a large workbook. */
function LargeWorkbook({ upload, disabled }: { upload: Upload; disabled: boolean }) {
  return (
    <Stack gap="sm" component="section" aria-label="Preview">
      <Text size="sm" c="dimmed">
        A workbook of more than 8 MiB has no preview. The dry run shows how Muster reads it.
      </Text>
      <TextInput
        className={styles.sheet ?? ''}
        label="Sheet (optional)"
        description="If the workbook has several"
        maxLength={31}
        value={upload.options.sheet}
        disabled={disabled}
        onChange={({ currentTarget }) => upload.change({ sheet: currentTarget.value })}
      />
    </Stack>
  );
}

/** Lets the user accept what a spreadsheet left in place of an account, and take that back. */
function LostValues({
  upload,
  preview,
  disabled,
}: {
  upload: Upload;
  preview: UploadPreview;
  disabled: boolean;
}) {
  const isKept = upload.options.damaged === 'keep';
  if (!isKept && !preview.rowErrors.some(({ code }) => code === 'identity_damaged')) return null;
  return (
    <div>
      <Button
        variant="default"
        size="sm"
        disabled={disabled}
        onClick={() => upload.change({ damaged: isKept ? '' : 'keep' })}
      >
        {isKept ? 'Reject values that a spreadsheet lost' : 'Keep values that a spreadsheet lost'}
      </Button>
    </div>
  );
}

/** What the columns show already. */
const SHOWN_ABOVE = ['extra_columns', 'header_looks_like_data'];

function Warnings({ preview }: { preview: UploadPreview }) {
  const warnings = preview.warnings.filter(({ code }) => !SHOWN_ABOVE.includes(code));
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" title="Check these values" role="status">
      <List size="sm">
        {warnings.map(({ code, message }) => (
          <List.Item key={code}>
            <Message text={`${message.charAt(0).toUpperCase()}${message.slice(1)}.`} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Most files that are not UTF-8 were saved by Excel on Windows in Western Europe or America. */
const WINDOWS = 'windows-1252';

function FileError({ preview }: { preview: UploadPreview }) {
  if (preview.error === null || isHeaderUnknown(preview)) return null;
  return (
    <Alert color="red" title="The file would be rejected as a whole" role="alert">
      <Text size="sm">
        <Message text={`Invalid file format: ${preview.error.message}`} />
      </Text>
    </Alert>
  );
}

function Rows({ upload, preview }: { upload: Upload; preview: UploadPreview }) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = showsAll ? preview.rows : preview.rows.slice(0, FIRST);
  const last = rows.at(-1)?.line ?? 0;
  const later = preview.rowErrors.filter(({ line }) => (line ?? 0) > last);
  return (
    <>
      <Text size="sm" fw={600}>
        First rows as Muster reads them
      </Text>
      <PreviewTable rows={rows} mode={upload.options.mode} />
      <Text size="sm">
        {describeChecked(preview)} The {upload.options.mode === 'link' ? 'next step' : 'dry run'} checks the
        whole file.{' '}
        {preview.rows.length > FIRST && (
          <Anchor component="button" type="button" size="sm" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? `Show ${FIRST} rows` : `Show ${preview.rows.length} rows`}
          </Anchor>
        )}
      </Text>
      {later.length > 0 && (
        <List size="sm" aria-label="Errors of later rows">
          {later.slice(0, LATER).map((error) => (
            <List.Item key={JSON.stringify(error)}>
              <Message text={describeError({ ...error, line: error.line ?? undefined })} />
            </List.Item>
          ))}
          {later.length > LATER && <List.Item>and {wholeNumber(later.length - LATER)} more</List.Item>}
        </List>
      )}
    </>
  );
}

function describeChecked({ checkedRows, rejectedRows }: UploadPreview): string {
  const rejected = rejectedRows === 0 ? 'none' : wholeNumber(rejectedRows);
  return `${counted(checkedRows, 'row')} checked, ${rejected} would be rejected.`;
}
