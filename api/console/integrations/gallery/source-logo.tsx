import type { CSSProperties } from 'react';
import styles from './gallery.module.css';
import { hueOf, initialsOf } from './initials.ts';

/** What stands for a source's logo. It says nothing that the title beside it does not. */
export const SourceLogo = ({ name, title }: { name: string; title: string }) => (
  <span className={styles.initials} style={{ '--hue': hueOf(name) } as CSSProperties} aria-hidden="true">
    {initialsOf(title)}
  </span>
);
