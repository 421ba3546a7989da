import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What this is about, in a sentence or two. */
  about?: ReactNode;
  /** Give what there is to see the whole width, under the title. */
  wide?: boolean;
  children: ReactNode;
}

/** A part of a page that stands by itself: what it is about at the left or on top, and what there is to see or do. */
export const Section = ({ title, about, wide = false, children }: SectionProps) => (
  <Paper
    withBorder
    p="lg"
    component="section"
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

/** Two sections side by side where there is room, the first the wider one. */
export const Beside = ({ children }: { children: ReactNode }) => (
  <div className={styles.beside}>{children}</div>
);
