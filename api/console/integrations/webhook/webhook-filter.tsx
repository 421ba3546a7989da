import { NativeSelect } from '@mantine/core';
import type { WebhookNames } from './use-webhook-names.ts';

interface FilterProps {
  names: WebhookNames;
  /** An id; empty: all. */
  value: string;
  change: (id: string) => void;
}

/** Picks one integration, or all. */
export function WebhookFilter({ names, value, change }: FilterProps) {
  const known = names.all.map(({ id, name }) => ({ value: id, label: name }));
  const unknown = value !== '' && !names.isThere(value) ? [{ value, label: names.nameOf(value) }] : [];
  return (
    <NativeSelect
      label="Integration"
      data={[{ value: '', label: 'all' }, ...unknown, ...known]}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
