import styles from '../parts.module.css';

/** A payload as plain text, whatever it contains. */
export const Raw = ({ text, label }: { text: string; label: string }) => (
  <section className={styles.raw} tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
);
