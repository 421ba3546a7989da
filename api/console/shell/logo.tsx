import styles from './shell.module.css';

export const Logo = () => (
  <span className={styles.logo}>
    <span className={styles.mark} aria-hidden="true" />
    Muster
  </span>
);
