import { Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';

/** Which column of the uploaded CSV file became which field. */
export const DetectedColumns = ({ columns }: Pick<Job, 'columns'>) =>
  columns && (
    <Text size="sm" c="dimmed">
      Columns: “{columns.email}” is email, “{columns.integrationId}” is integrationId, “{columns.identity}” is
      identity.
    </Text>
  );
