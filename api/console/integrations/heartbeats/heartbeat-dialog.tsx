import { SegmentedControl, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Heartbeat } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { heartbeatsPath } from './path.ts';

interface HeartbeatDialogProps {
  webhookId: string;
  /** Null: a new one. */
  heartbeat: Heartbeat | null;
  onClose: () => void;
}

/** Creates a heartbeat, or changes one. */
export default function HeartbeatDialog(props: HeartbeatDialogProps) {
  return (
    <Dialog
      onClose={props.onClose}
      title={props.heartbeat ? `Edit ${props.heartbeat.name}` : 'New heartbeat'}
      size="lg"
      centered
    >
      <HeartbeatForm {...props} />
    </Dialog>
  );
}

function HeartbeatForm({ webhookId, heartbeat, onClose }: HeartbeatDialogProps) {
  const [name, setName] = useState(heartbeat?.name ?? '');
  const [values, setValues] = useState(() => valuesOf(heartbeat));
  const change = (some: Partial<Values>) => setValues({ ...values, ...some });
  const cache = useQueryClient();
  const path = heartbeatsPath(webhookId);
  const saving = useMutation({
    mutationFn: () =>
      requestJson(`${path}/${encodeURIComponent(name)}`, { method: 'PUT', json: settingsOf(values) }),
    onSuccess: async () => {
      announce(`Saved ${name}`);
      onClose();
      await cache.invalidateQueries({ queryKey: [path] });
    },
  });
  const errors = inputErrors(saving.error, ['schedule.cron', 'description', 'severity']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const isNamed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Letters, digits, “.”, “_” and “-”. A part of the URL to ping"
          value={name}
          maxLength={64}
          disabled={heartbeat !== null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={name !== '' && !isNamed && 'Use letters, digits, “.”, “_” and “-” only'}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="Description"
          value={values.description}
          maxLength={1_000}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={toInputError(errors.at('description'))}
        />
        <SegmentedControl
          aria-label="When a ping is expected"
          value={values.by}
          onChange={(by) => change({ by: by === 'cron' ? 'cron' : 'period' })}
          data={[
            { value: 'period', label: 'At intervals' },
            { value: 'cron', label: 'At the times of cron' },
          ]}
        />
        {values.by === 'period' ? (
          <WholeNumberInput
            label="Minutes between two pings"
            min={1}
            max={MOST_MINUTES}
            value={values.period}
            onChange={(period) => change({ period })}
          />
        ) : (
          <>
            <TextInput
              label="Cron expression"
              description="Minute, hour, day of the month, month, day of the week"
              placeholder="0 3 * * *"
              value={values.cron}
              onChange={({ currentTarget }) => change({ cron: currentTarget.value })}
              error={toInputError(errors.at('schedule.cron'))}
              spellCheck={false}
            />
            <Select
              label="Time zone"
              data={TIME_ZONES}
              value={values.timeZone}
              onChange={(timeZone) => change({ timeZone: timeZone ?? 'UTC' })}
              searchable
              allowDeselect={false}
            />
          </>
        )}
        <WholeNumberInput
          label="Minutes of grace"
          description="How late a ping may be. Time in which Muster could not receive pings does not count."
          min={0}
          max={MOST_MINUTES}
          value={values.grace}
          onChange={(grace) => change({ grace })}
        />
        <Switch
          label="Limit how long a run may take"
          description="For jobs that also ping the URL with /start"
          checked={values.isLimited}
          onChange={({ currentTarget }) => change({ isLimited: currentTarget.checked })}
        />
        {values.isLimited && (
          <WholeNumberInput
            label="Minutes that a run may take"
            min={1}
            max={MOST_MINUTES}
            value={values.maxRun}
            onChange={(maxRun) => change({ maxRun })}
          />
        )}
        <Select
          label="Severity of its alerts"
          data={SEVERITIES}
          value={values.severity}
          onChange={(severity) => change({ severity: severity ?? 'error' })}
          allowDeselect={false}
          error={toInputError(errors.at('severity'))}
        />
        {errors.hasOthers && <Failure error={saving.error} title="Could not save the heartbeat" />}
        <FormActions
          submit={heartbeat ? 'Save' : 'Create heartbeat'}
          cancel={onClose}
          isBusy={saving.isPending}
          isIncomplete={!isNamed || (values.by === 'cron' && values.cron.trim() === '')}
        />
      </Stack>
    </form>
  );
}

const MINUTE_S = 60;
const MOST_MINUTES = 366 * 24 * 60;
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const TIME_ZONES = [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])];

interface Values {
  description: string;
  by: 'period' | 'cron';
  period: number | string;
  cron: string;
  timeZone: string;
  grace: number | string;
  isLimited: boolean;
  maxRun: number | string;
  severity: string;
}

const minutes = (seconds: number): number => Math.ceil(seconds / MINUTE_S);

function valuesOf(heartbeat: Heartbeat | null): Values {
  const schedule = heartbeat?.schedule ?? { periodSeconds: 24 * 60 * MINUTE_S };
  const isCron = 'cron' in schedule;
  return {
    description: heartbeat?.description ?? '',
    by: isCron ? 'cron' : 'period',
    period: isCron ? 24 * 60 : minutes(schedule.periodSeconds),
    cron: isCron ? schedule.cron : '',
    timeZone: isCron ? schedule.timeZone : OWN_ZONE,
    grace: minutes(heartbeat?.graceSeconds ?? 300),
    isLimited: heartbeat !== null && heartbeat.maxRunSeconds !== null,
    maxRun: minutes(heartbeat?.maxRunSeconds ?? 3_600),
    severity: heartbeat?.severity ?? 'error',
  };
}

const settingsOf = ({
  description,
  by,
  period,
  cron,
  timeZone,
  grace,
  isLimited,
  maxRun,
  severity,
}: Values) => ({
  description,
  schedule: by === 'cron' ? { cron, timeZone } : { periodSeconds: Number(period) * MINUTE_S },
  graceSeconds: Number(grace) * MINUTE_S,
  maxRunSeconds: isLimited ? Number(maxRun) * MINUTE_S : null,
  severity,
});
