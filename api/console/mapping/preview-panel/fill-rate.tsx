import styles from './preview-panel.module.css';

interface FillRateProps {
  name: string;
  told: { resolved: number; defaulted: number; missing: number; fillRate: number };
}

/** How often the payload gave the field a value, as a bar and a number. */
export function FillRate({ name, told: { resolved, defaulted, missing, fillRate } }: FillRateProps) {
  const tone = fillRate === 1 ? 'good' : fillRate > 0 ? 'warn' : 'bad';
  const title = `${resolved} from the payload, ${defaulted} by default, ${missing} missing`;
  return (
    <>
      <dt>{name}</dt>
      <dd title={title}>
        <span className={styles.bar} aria-hidden="true">
          <span data-tone={tone} style={{ width: `${fillRate * 100}%` }} />
        </span>
        <span className={styles.percent}>{Math.floor(fillRate * 100)} %</span>
      </dd>
    </>
  );
}
