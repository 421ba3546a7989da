import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import styles from './parts.module.css';

interface BackLinkProps {
  /** The address of the list that the page belongs to. */
  href: string;
  /** The name of the list. */
  children: string;
}

/** The link above a page's title that leads back to its list. */
export const BackLink = ({ href, children }: BackLinkProps) => (
  <Anchor component={Link} href={href} size="sm" className={styles.backLink}>
    <IconArrowLeft size={14} aria-hidden="true" />
    {children}
  </Anchor>
);
