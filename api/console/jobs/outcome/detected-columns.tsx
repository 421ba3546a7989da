import { Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';

/** Which columns of the CSV file were read as which fields. */
export const DetectedColumns = ({ columns }: Pick<Job, 'columns'>) =>
  columns && (
    <Text size="sm" c="dimmed">
      Detected columns: {Object.entries(columns).map(asWords).join(', ')}.
    </Text>
  );

const asWords = ([field, column]: [string, string]): string => `“${column}” as ${field}`;
