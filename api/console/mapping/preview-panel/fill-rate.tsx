import styles from './preview-panel.module.css';

interface FillRateProps {
  name: string;
  statistics: { resolved: number; defaulted: number; missing: number; fillRate: number };
}

/** The share of alerts in which the payload filled the field, as a bar and a number. */
export function FillRate({ name, statistics: { resolved, defaulted, missing, fillRate } }: FillRateProps) {
  const tone = fillRate === 1 ? 'good' : fillRate > 0 ? 'warn' : 'bad';
  const title = `${resolved} from the payload, ${defaulted} from the default, ${missing} missing`;
  return (
    <>
      <dt>{name}</dt>
      <dd title={title}>
        <span className={styles.bar} aria-hidden="true">
          <span data-tone={tone} style={{ width: `${fillRate * 100}%` }} />
        </span>
        <span className={styles.percent}>{Math.floor(fillRate * 100)}%</span>
      </dd>
    </>
  );
}
