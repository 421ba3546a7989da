import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Message } from '../../parts/values/message.tsx';
import { counted, wholeNumber } from '../../text/quantities.ts';
import { listCounts } from '../job-counts.ts';
import { ErrorTable } from './error-table.tsx';
import styles from './outcome.module.css';
import { RejectedRows } from './rejected-rows.tsx';
import { summarizeOutcome } from './summarize-outcome.ts';

const COLORS = { good: 'green', warn: 'yellow', bad: 'red', plain: 'gray' };

/** The outcome of a finished job: summary, counts, warnings, errors, and the rejected rows. */
export function JobOutcome({ job }: { job: Job }) {
  const { tone, title, text } = summarizeOutcome(job);
  return (
    <Stack gap="md">
      <Alert color={COLORS[tone]} title={title} role={tone === 'bad' ? 'alert' : 'status'}>
        {text !== '' && (
          <Text size="sm">
            <Message text={text} />
          </Text>
        )}
      </Alert>
      {job.counts && <CountTiles job={job} />}
      <DetectedColumns columns={job.columns} />
      <Warnings warnings={job.warnings} />
      {job.error ? (
        <ErrorTable errors={job.error.errors} count={job.error.errorCount} />
      ) : (
        <RejectedRows job={job} />
      )}
      {job.links.rejected && (
        <Group>
          <DownloadButton path={job.links.rejected}>Download rejected rows</DownloadButton>
        </Group>
      )}
    </Stack>
  );
}

const TONES: Record<string, string> = { rejected: 'bad', failed: 'bad', superseded: 'warn' };

/** The counts of a job as tiles, each with an explanation. */
const CountTiles = ({ job }: { job: Job }) => (
  <dl className={styles.counts} aria-label={job.dryRun ? 'Dry run results' : 'Results'}>
    {listCounts(job).map(({ name, count, meaning }) => (
      <div key={name} data-tone={count > 0 ? TONES[name] : undefined}>
        <dt>{name}</dt>
        <dd className={styles.number}>{wholeNumber(count)}</dd>
        <dd className={styles.meaning}>{meaning}</dd>
      </div>
    ))}
  </dl>
);

/** Which columns of the CSV file were read as which fields. */
const DetectedColumns = ({ columns }: Pick<Job, 'columns'>) =>
  columns && (
    <Text size="sm" c="dimmed">
      Detected columns: {Object.entries(columns).map(asWords).join(', ')}.
    </Text>
  );

const asWords = ([field, column]: [string, string]): string => `“${column}” as ${field}`;

/** The warnings of a job; renders nothing if there are none. */
export const Warnings = ({ warnings }: Pick<Job, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Alert color="yellow" title={counted(warnings.length, 'warning')}>
      <List size="sm">
        {warnings.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`}>
            <Message text={message} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
