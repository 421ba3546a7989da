import { TextInput } from '@mantine/core';
import styles from './filter-bar.module.css';
import { fromLocalInput, toLocalInput } from './url-filters.ts';

type TimeRange = Record<'from' | 'to', string>;

interface ReceivedFiltersProps {
  filters: Partial<TimeRange>;
  change: (changes: Partial<TimeRange>) => void;
}

const LABELS = { from: 'From', to: 'To' } as const;

/** Two inputs that filter by the time of receipt, in the user's time zone. */
export const ReceivedFilters = ({ filters, change }: ReceivedFiltersProps) =>
  (['from', 'to'] as const).map((name) => (
    <TextInput
      key={name}
      type="datetime-local"
      classNames={{ input: styles.time }}
      label={LABELS[name]}
      value={toLocalInput(filters[name] ?? '')}
      onChange={({ currentTarget }) => change({ [name]: fromLocalInput(currentTarget.value) })}
    />
  ));
