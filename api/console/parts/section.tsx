import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What this is about, in a sentence or two. */
  about?: ReactNode;
  children: ReactNode;
}

/** A part of a page that stands by itself: what it is about at the left, what there is to do at the right. */
export const Section = ({ title, about, children }: SectionProps) => (
  <Paper withBorder p="lg" component="section" aria-label={title} className={styles.section}>
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
