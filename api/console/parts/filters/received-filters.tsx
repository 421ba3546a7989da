import { TextInput } from '@mantine/core';
import { useTimeZone } from '../../settings/time-zone.ts';
import styles from './filter-bar.module.css';
import { fromLocalInput, toLocalInput } from './url-filters.ts';

type TimeRange = Record<'from' | 'to', string>;

interface ReceivedFiltersProps {
  names: readonly (keyof TimeRange)[];
  filters: Partial<TimeRange>;
  change: (changes: Partial<TimeRange>) => void;
}

const LABELS = { from: 'From', to: 'To' } as const;

/** Inputs that filter by time, in the chosen time zone. */
export function ReceivedFilters({ names, filters, change }: ReceivedFiltersProps) {
  const zone = useTimeZone();
  return names.map((name) => (
    <TextInput
      key={name}
      type="datetime-local"
      classNames={{ input: styles.time }}
      label={zone ? `${LABELS[name]} (${zone})` : LABELS[name]}
      value={toLocalInput(filters[name] ?? '', zone)}
      onChange={({ currentTarget }) => change({ [name]: fromLocalInput(currentTarget.value, zone) })}
    />
  ));
}
