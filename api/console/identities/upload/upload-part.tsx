import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  number: number;
  title: string;
  children: ReactNode;
}

/** A numbered part of an upload page. */
export const UploadPart = ({ number, title, children }: PartProps) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="sm">
      <Text span inherit c="dimmed">
        {number}
      </Text>{' '}
      {title}
    </Title>
    <Stack gap="md">{children}</Stack>
  </Paper>
);
