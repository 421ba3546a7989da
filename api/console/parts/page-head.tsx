import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import styles from './parts.module.css';

interface PageHeadProps {
  title: string;
  /** Shown above the title, usually a link back. */
  above?: ReactNode;
  /** Shown next to the title. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** True if the content belongs to the head, such as tabs. */
  isTight?: boolean;
  children?: ReactNode;
}

/** The top of a page. Its title is also the title of the browser tab. */
export function PageHead({ title, above, aside, actions, isTight = false, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" mb={isTight ? 'xs' : 'lg'} gap="sm">
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
          {aside}
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
