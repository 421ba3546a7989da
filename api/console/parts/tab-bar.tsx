import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './tab-bar.module.css';

interface TabBarProps {
  /** The accessible name. */
  label: string;
  tabs: readonly { name: string; title: string }[];
  /** The name of the open tab. */
  open: string;
  hrefOf: (name: string) => string;
  /** The actions of the open tab. */
  children?: ReactNode;
}

/** The tabs of a page, which stay at the top of the window, and next to them the actions of the open one. */
export const TabBar = ({ label, tabs, open, hrefOf, children }: TabBarProps) => (
  <div className={styles.bar}>
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ name, title }) => (
        <Link
          key={name}
          href={hrefOf(name)}
          className={styles.tab}
          aria-current={name === open ? 'page' : undefined}
          data-text={title}
        >
          {title}
        </Link>
      ))}
    </nav>
    {children}
  </div>
);
