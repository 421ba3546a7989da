import { Alert, List } from '@mantine/core';
import type { Job } from '../http/types.ts';

/** What is worth knowing of a job that went well. */
export const Warnings = ({ warnings }: Pick<Job, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Alert color="yellow" title={warnings.length === 1 ? 'A warning' : `${warnings.length} warnings`}>
      <List size="sm">
        {warnings.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`}>{message}</List.Item>
        ))}
      </List>
    </Alert>
  );
