import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from './initials.ts';
import { logoOf } from './logos.ts';
import styles from './source-logo.module.css';

interface SourceLogoProps {
  /** The name of the template, or another name for the color of the initials. */
  name: string;
  title: string;
}

/** The logo of a source, or its initials. It is hidden from screen readers because the title next to it says the same. */
export function SourceLogo({ name, title }: SourceLogoProps) {
  const logo = logoOf(name);
  if (logo === null) {
    return (
      <span className={styles.initials} style={{ '--hue': hueOf(name) } as CSSProperties} aria-hidden="true">
        {initialsOf(title)}
      </span>
    );
  }
  return (
    <span className={styles.logo} aria-hidden="true">
      <img src={logo} alt="" width={16} height={16} loading="lazy" />
    </span>
  );
}
