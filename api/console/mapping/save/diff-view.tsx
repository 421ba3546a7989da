import { countChanges, type MappingChange, type PartChange } from '../model/draft/diff.ts';
import styles from './save.module.css';

/** What two mappings say differently, before and after. */
export function DiffView({ changes }: { changes: readonly MappingChange[] }) {
  if (countChanges(changes) === 0) return <p className={styles.same}>They say the same.</p>;
  return (
    <section className={styles.diff} aria-label="What changes">
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
