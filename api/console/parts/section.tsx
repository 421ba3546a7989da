import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** The fragment of the address that leads to it. */
  id?: string;
  /** An explanation of one or two sentences. */
  about?: ReactNode;
  /** Whether the content is below the title and has the full width. */
  wide?: boolean;
  children: ReactNode;
}

/** A section of a page: title and explanation on the left or on top, then the content. */
export const Section = ({ title, id, about, wide = false, children }: SectionProps) => (
  <Paper
    withBorder
    p="lg"
    component="section"
    id={id}
    tabIndex={id === undefined ? undefined : -1}
    aria-label={title}
    className={styles.section}
    data-wide={wide || undefined}
  >
    <div>
      <Title order={2} size="h5">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mt={4} component="div">
          {about}
        </Text>
      )}
    </div>
    <div className={styles.body}>{children}</div>
  </Paper>
);

/** Two sections side by side if there is room. The first one is wider. */
export const SideBySide = ({ children }: { children: ReactNode }) => (
  <div className={styles.sideBySide}>{children}</div>
);
