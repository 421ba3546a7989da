import { Radio, Stack } from '@mantine/core';
import type { Mode } from '../upload-state.ts';

const MODES: readonly { mode: Mode; label: string; description: string }[] = [
  {
    mode: 'assert',
    label: 'Add or correct owners',
    description: 'Each row sets the owner of an account. All other accounts stay as they are.',
  },
  {
    mode: 'remove',
    label: 'Remove accounts',
    description: 'Each row names an account that has no owner afterwards. No email is needed.',
  },
  {
    mode: 'mirror',
    label: 'Mirror integrations',
    description:
      'The file is the complete list of some integrations. Accounts there that it does not name are removed.',
  },
];

interface ModeSelectProps {
  mode: Mode;
  disabled: boolean;
  onChange: (mode: Mode) => void;
}

/** What the file does. */
export const ModeSelect = ({ mode, disabled, onChange }: ModeSelectProps) => (
  <Radio.Group label="What the file does" value={mode} onChange={(chosen) => onChange(chosen as Mode)}>
    <Stack mt={6} gap="xs">
      {MODES.map(({ mode: value, label, description }) => (
        <Radio key={value} value={value} label={label} description={description} disabled={disabled} />
      ))}
    </Stack>
  </Radio.Group>
);
