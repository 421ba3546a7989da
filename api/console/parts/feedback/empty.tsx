import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface EmptyProps {
  /** What is missing, such as "No integrations yet". */
  title: string;
  /** 1 if it is the whole page. */
  level?: 1 | 2;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
}

/** The empty state of a list or page. */
export const Empty = ({ title, level = 2, children, action }: EmptyProps) => (
  <Paper withBorder p="xl">
    <Stack align="center" gap="sm" py="lg" ta="center">
      <Title order={level} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="34rem">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);

/** The page for an unknown address. */
export const NotFound = () => (
  <Empty
    title="Page not found"
    level={1}
    action={
      <Button component={Link} href="/">
        Go to the start page
      </Button>
    }
  >
    The address is wrong, the content was deleted, or this key does not have the scope to view it.
  </Empty>
);
