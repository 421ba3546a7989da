interface ValuesReadProps {
  values: readonly { path: string; value: string | null }[];
}

/** The values that a clause read: `webhook.severity is info`. */
export const ValuesRead = ({ values }: ValuesReadProps) =>
  values.map(({ path, value }, place) => (
    <span key={path}>
      {place > 0 && ', '}
      <code>{path}</code> is {value === null ? 'missing' : <b>{value}</b>}
    </span>
  ));
