import { countChanges, type MappingChange, type PartChange } from '../model/draft/diff.ts';
import own from './save.module.css';

/** What two mappings say differently, before and after. */
export function DiffView({ changes }: { changes: readonly MappingChange[] }) {
  if (countChanges(changes) === 0) return <p className={own.same}>They say the same.</p>;
  return (
    <section className={own.diff} aria-label="What changes">
      {changes.map(({ target, label, parts }) => (
        <div key={target} className={own.change}>
          <h3 className={own.place}>{label}</h3>
          {parts.map((part) => (
            <Part key={part.part} {...part} />
          ))}
        </div>
      ))}
    </section>
  );
}

const Part = ({ part, before, after }: PartChange) => (
  <div className={own.part}>
    <span className={own.partName}>{part}</span>
    <div className={own.texts}>
      {before !== null && (
        <del className={own.before}>
          <span className={own.sign}>before </span>
          {before}
        </del>
      )}
      {after !== null && (
        <ins className={own.after}>
          <span className={own.sign}>after </span>
          {after}
        </ins>
      )}
    </div>
  </div>
);
