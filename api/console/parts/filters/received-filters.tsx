import { TextInput } from '@mantine/core';
import styles from './filter-bar.module.css';
import { fromLocalInput, toLocalInput } from './url-filters.ts';

type Arrival = Record<'from' | 'to', string>;

interface ArrivalFiltersProps {
  filters: Partial<Arrival>;
  change: (changes: Partial<Arrival>) => void;
}

const LABELS = { from: 'From', to: 'To' } as const;

/** When what is listed has come: two inputs, in the zone of the reader. */
export const ArrivalFilters = ({ filters, change }: ArrivalFiltersProps) =>
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
