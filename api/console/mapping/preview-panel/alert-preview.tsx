import { StateBadge } from '../../parts/values/badge.tsx';
import {
  ALERT_FIELDS,
  isKnownSeverity,
  isRequired,
  LIFECYCLE_FIELD_NAMES,
  LIFECYCLE_FIELDS,
  SEVERITIES,
  type Target,
  targetOfResult,
} from '../model/draft/alert-fields.ts';
import type { PreviewedAlert, PreviewedField } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './preview-panel.module.css';

/** The fields that are listed below the title, whether or not they have a value. */
export const BELOW = ['description', 'source', 'service', 'environment', 'team', 'ownerEmail'] as const;

/** An alert as the alert pages show it. */
export function AlertPreview({ alert: { fields, custom } }: { alert: PreviewedAlert }) {
  const { isUntouched } = useEditorContext();
  const severity = fields.severity?.value;
  return (
    <>
      <div className={styles.title}>
        {severity ? (
          <StateBadge state={severity} />
        ) : (
          <span className={isUntouched ? styles.nothing : styles.missing}>No severity</span>
        )}{' '}
        <Value target="fields.title" result={fields.title} none="No title" />
      </div>
      {severity && !isKnownSeverity(severity) && (
        <p className={styles.warning}>
          {severity} is not one of {SEVERITIES.join(', ')}.
        </p>
      )}
      <dl className={styles.facts}>
        {BELOW.map((name) => (
          <Fact
            key={name}
            label={ALERT_FIELDS[name].label}
            target={targetOfResult(name)}
            result={fields[name]}
          />
        ))}
        {LIFECYCLE_FIELD_NAMES.filter((name) => fields[name]).map((name) => (
          <Fact
            key={name}
            label={LIFECYCLE_FIELDS[name].label}
            target={targetOfResult(name)}
            result={fields[name]}
          />
        ))}
        {Object.entries(custom).map(([name, result]) => (
          <Fact key={`custom.${name}`} label={name} target={`custom.${name}`} result={result} />
        ))}
      </dl>
    </>
  );
}

interface ValueProps {
  target: Target;
  result: PreviewedField | undefined;
  /** Shown for an optional field without a value. */
  none?: string;
}

const Fact = ({ label, ...value }: ValueProps & { label: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <Value {...value} />
    </dd>
  </>
);

function Value({ target, result, none = 'None' }: ValueProps) {
  const { isUntouched } = useEditorContext();
  if (!result || result.value === null) {
    // Many events have no team, for example. Only a missing required field is an error.
    return isRequired(target) && !isUntouched ? (
      <span className={styles.missing}>Missing</span>
    ) : (
      <span className={styles.nothing}>{none}</span>
    );
  }
  if (result.result === 'defaulted')
    return <span className={styles.defaulted}>{result.value} (default)</span>;
  if (result.result === 'missing') return <span className={styles.missing}>{result.value}</span>;
  return <span>{result.value}</span>;
}
