import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import styles from './parts.module.css';

interface PageHeadProps {
  title: string;
  /** What stands above the title: the way back. */
  above?: ReactNode;
  /** What stands beside it. */
  beside?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** The top of a page; it names the tab as well. */
export function PageHead({ title, above, beside, actions, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <div className={styles.head}>
        {above && (
          <Text size="sm" c="dimmed" component="div">
            {above}
          </Text>
        )}
        <Group gap="sm">
          <Title order={1} className={styles.head}>
            {title}
          </Title>
          {beside}
        </Group>
        {children && (
          <Text c="dimmed" size="sm" maw="46rem" component="div" className={styles.lead}>
            {children}
          </Text>
        )}
      </div>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
