import { Group, Radio, Stack } from '@mantine/core';
import type { UploadPreview } from '../../../http/types.ts';
import { WholeNumberInput } from '../../../parts/whole-number-input.tsx';
import { isWorkbook } from '../file/workbook-file.ts';
import styles from '../upload.module.css';
import type { Mode, UploadOptions } from '../upload-state.ts';
import type { Upload } from '../use-upload.ts';
import { CallbackSelect } from './callback-select.tsx';
import { CharsetSelect } from './charset-select.tsx';
import { MirrorOptions } from './mirror-options.tsx';

const MAX_ROWS = 999_999_999;

interface UploadOptionsProps {
  upload: Upload;
  preview: UploadPreview | undefined;
  disabled: boolean;
}

/** The label of the option that invalid rows do not stop the others. */
export const othersLabel = (mode: Mode): string =>
  mode === 'remove' ? 'Process all other rows' : 'Import all other rows';

/** What the file does, what happens if rows are invalid, its encoding and its number of rows. */
export const UploadOptionsInput = ({ upload, preview, disabled }: UploadOptionsProps) => {
  const { options, change } = upload;
  return (
    <Stack gap="md">
      <ModeSelect mode={options.mode} disabled={disabled} onChange={(mode) => change({ mode })} />
      {options.mode === 'mirror' && (
        <MirrorOptions
          options={options}
          missing={upload.missing}
          tries={upload.tries}
          proposed={preview?.integrationIds ?? []}
          disabled={disabled}
          onChange={change}
        />
      )}
      <Radio.Group
        label="If rows are invalid"
        value={options.onError}
        onChange={(onError) => change({ onError: onError as UploadOptions['onError'] })}
      >
        <Group mt={6} gap="md">
          <Radio value="abort" label="Reject the whole file" disabled={disabled} />
          <Radio value="continue" label={othersLabel(options.mode)} disabled={disabled} />
        </Group>
      </Radio.Group>
      <div className={styles.fields}>
        {!(upload.file && isWorkbook(upload.file)) && (
          <CharsetSelect
            charset={options.charset}
            disabled={disabled}
            onChange={(charset) => change({ charset })}
          />
        )}
        <WholeNumberInput
          label="Expected rows (optional)"
          description="Without the header. A file with another number is rejected: it may have been cut off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={MAX_ROWS}
          disabled={disabled}
          value={options.expectedRows}
          onChange={(value) => change({ expectedRows: String(value) })}
        />
        <CallbackSelect
          callback={options.callback}
          disabled={disabled}
          onChange={(callback) => change({ callback })}
        />
      </div>
    </Stack>
  );
};

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
    label: 'Mirror account systems',
    description:
      'The file is the complete list of some account systems. Accounts there that it does not name are removed.',
  },
];

interface ModeSelectProps {
  mode: Mode;
  disabled: boolean;
  onChange: (mode: Mode) => void;
}

/** What the file does. */
const ModeSelect = ({ mode, disabled, onChange }: ModeSelectProps) => (
  <Radio.Group label="What the file does" value={mode} onChange={(chosen) => onChange(chosen as Mode)}>
    <Stack mt={6} gap="xs">
      {MODES.map(({ mode: value, label, description }) => (
        <Radio key={value} value={value} label={label} description={description} disabled={disabled} />
      ))}
    </Stack>
  </Radio.Group>
);
