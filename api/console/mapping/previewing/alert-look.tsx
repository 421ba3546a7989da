import { StateBadge } from '../../parts/badge.tsx';
import { ALERT_FIELDS } from '../model/alert-fields.ts';
import type { PreviewedAlert, PreviewedField } from '../model/previewed.ts';
import own from './preview.module.css';

const BELOW = ['description', 'source', 'service', 'environment', 'team'] as const;

/** An alert as the list of alerts and its own page show it. */
export function AlertLook({ alert: { fields, custom } }: { alert: PreviewedAlert }) {
  const severity = fields.severity?.value;
  return (
    <>
      <p className={own.title}>
        {severity ? <StateBadge state={severity} /> : <span className={own.missing}>no severity</span>}{' '}
        <Value result={fields.title} none="no title" />
      </p>
      <dl className={own.facts}>
        {BELOW.map((name) => (
          <Fact key={name} name={ALERT_FIELDS[name].label} result={fields[name]} />
        ))}
        {Object.entries(custom).map(([name, result]) => (
          <Fact key={`custom.${name}`} name={name} result={result} />
        ))}
      </dl>
    </>
  );
}

const Fact = ({ name, result }: { name: string; result: PreviewedField | undefined }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <Value result={result} />
    </dd>
  </>
);

function Value({ result, none = 'none' }: { result: PreviewedField | undefined; none?: string }) {
  if (!result || result.value === null) {
    // A field that nobody has drawn is no fault.
    return result?.paths.length ? (
      <span className={own.missing}>missing</span>
    ) : (
      <span className={own.nothing}>{none}</span>
    );
  }
  if (result.result === 'defaulted') return <span className={own.defaulted}>{result.value} (default)</span>;
  if (result.result === 'missing') return <span className={own.missing}>{result.value}</span>;
  return <span>{result.value}</span>;
}
