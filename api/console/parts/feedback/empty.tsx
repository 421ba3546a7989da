import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyProps {
  /** What is not there. */
  title: string;
  /** What to do first. */
  children: ReactNode;
  action?: ReactNode;
}

/** What stands where there is nothing yet. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <Paper withBorder p="xl">
    <Stack align="center" gap="sm" py="lg" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="34rem">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);
