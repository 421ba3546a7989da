import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The one page of a link that opens nothing any more. */
export const Ended = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="xl">
    <Stack gap="xs">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text>{children}</Text>
    </Stack>
  </Paper>
);
