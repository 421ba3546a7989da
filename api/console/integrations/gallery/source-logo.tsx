import type { CSSProperties } from 'react';
import styles from './gallery.module.css';
import { hueOf, initialsOf } from './initials.ts';

/** A placeholder for a source's logo. It is hidden from screen readers because the title next to it says the same. */
export const SourceLogo = ({ name, title }: { name: string; title: string }) => (
  <span className={styles.initials} style={{ '--hue': hueOf(name) } as CSSProperties} aria-hidden="true">
    {initialsOf(title)}
  </span>
);
