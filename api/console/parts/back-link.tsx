import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import styles from './parts.module.css';

interface WayBackProps {
  /** The list that the page belongs to, and its name. */
  href: string;
  children: string;
}

/** Stands above a page's title. */
export const BackLink = ({ href, children }: WayBackProps) => (
  <Anchor component={Link} href={href} size="sm" className={styles.wayBack}>
    <IconArrowLeft size={14} aria-hidden="true" />
    {children}
  </Anchor>
);
