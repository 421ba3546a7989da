import { NativeSelect } from '@mantine/core';
import type { WebhookNames } from './use-webhook-names.ts';

interface FilterProps {
  names: WebhookNames;
  /** The id of the selected integration; empty for all. */
  value: string;
  change: (id: string) => void;
}

/** A filter by integration. */
export function WebhookFilter({ names, value, change }: FilterProps) {
  const known = names.all.map(({ id, name }) => ({ value: id, label: name }));
  const unknown = value !== '' && !names.exists(value) ? [{ value, label: names.nameOf(value) }] : [];
  return (
    <NativeSelect
      label="Integration"
      data={[{ value: '', label: 'all' }, ...unknown, ...known]}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
