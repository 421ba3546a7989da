import { Select } from '@mantine/core';
import { PRESETS } from '../../../destinations/presets.ts';
import { useDestinations } from '../../../destinations/use-destination.ts';

interface Props {
  /** The id of a destination; empty for none. */
  callback: string;
  disabled: boolean;
  onChange: (callback: string) => void;
}

/** The destination that is told when a job ends, if there is one that the key may see. Only signed messages tell of jobs. */
export function CallbackSelect({ callback, disabled, onChange }: Props) {
  const able = [...(useDestinations()?.values() ?? [])].filter(({ preset }) => isSigned(preset));
  if (able.length === 0) return null;
  return (
    <Select
      label="Tell when done (optional)"
      description="A webhook that gets the job when it ends, also that of a dry run"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[{ value: '', label: 'Nobody' }, ...able.map(({ id, name }) => ({ value: id, label: name }))]}
      value={callback}
      allowDeselect={false}
      disabled={disabled}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

const isSigned = (preset: string): boolean =>
  Object.entries(PRESETS).some(([name, { isSigned }]) => name === preset && isSigned === true);
