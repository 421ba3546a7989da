import { countChanges, type MappingChange, type PartChange } from '../model/draft/diff.ts';
import styles from './save.module.css';

/** The differences between two mappings, before and after. */
export function DiffView({ changes }: { changes: readonly MappingChange[] }) {
  if (countChanges(changes) === 0) return <p className={styles.same}>No differences.</p>;
  return (
    <section className={styles.diff} aria-label="Changes">
      {changes.map(({ target, label, parts }) => (
        <div key={target} className={styles.change}>
          <h3 className={styles.place}>{label}</h3>
          {parts.map((part) => (
            <Part key={part.part} {...part} />
          ))}
        </div>
      ))}
    </section>
  );
}

const Part = ({ part, before, after }: PartChange) => (
  <div className={styles.part}>
    <span className={styles.partName}>{part}</span>
    <div className={styles.texts}>
      {before !== null && (
        <del className={styles.before}>
          <span className={styles.sign}>before </span>
          {before}
        </del>
      )}
      {after !== null && (
        <ins className={styles.after}>
          <span className={styles.sign}>after </span>
          {after}
        </ins>
      )}
    </div>
  </div>
);
