import { Checkbox, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, SilenceTrial, Webhook } from '../../http/types.ts';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { counted, duration } from '../../text/quantities.ts';

export type SilenceRule = NonNullable<Webhook['silence']>;

interface SilenceFieldsProps {
  webhookId: string;
  rule: SilenceRule;
  change: (rule: SilenceRule) => void;
}

const MINUTE_S = 60;
const MOST_MINUTES = 30 * 24 * 60;
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const TIME_ZONES = [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])];
const WORKDAYS = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', timeZone: OWN_ZONE };

/** The inputs of a rule of silence, with what it would have done so far. */
export default function SilenceFields({ webhookId, rule, change }: SilenceFieldsProps) {
  const { schedule } = rule;
  const changeHours = (some: Partial<typeof WORKDAYS>) =>
    change({ ...rule, schedule: { ...(schedule ?? WORKDAYS), ...some } });
  return (
    <Stack>
      <WholeNumberInput
        label="Minutes without an event"
        min={5}
        max={MOST_MINUTES}
        value={Math.round(rule.afterSeconds / MINUTE_S)}
        onChange={(value) => change({ ...rule, afterSeconds: Number(value) * MINUTE_S })}
        maw="24rem"
      />
      <Trial webhookId={webhookId} rule={rule} />
      <Select
        label="Severity of the alert"
        data={SEVERITIES}
        value={rule.severity}
        onChange={(severity) => change({ ...rule, severity: severity ?? 'error' })}
        allowDeselect={false}
        maw="24rem"
      />
      <Switch
        label="Only in some hours"
        description="Such as on workdays from 8 to 18 o’clock. The time in between does not count."
        checked={schedule !== null}
        onChange={({ currentTarget }) =>
          change({ ...rule, schedule: currentTarget.checked ? WORKDAYS : null })
        }
      />
      {schedule && (
        <Stack gap="sm">
          <Checkbox.Group
            label="Days"
            value={schedule.days.map(String)}
            onChange={(days) => days.length > 0 && changeHours({ days: days.map(Number).sort() })}
          >
            <Group gap="sm" mt={6}>
              {DAYS.map((name, index) => (
                <Checkbox key={name} value={String(index + 1)} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group gap="sm" align="end">
            <TextInput
              label="From"
              type="time"
              value={schedule.from}
              onChange={({ currentTarget }) => changeHours({ from: currentTarget.value })}
            />
            <TextInput
              label="To"
              description={undefined}
              type="time"
              value={schedule.to === '24:00' ? '00:00' : schedule.to}
              onChange={({ currentTarget }) => changeHours({ to: currentTarget.value })}
            />
            <Select
              label="Time zone"
              data={TIME_ZONES}
              value={schedule.timeZone}
              onChange={(timeZone) => changeHours({ timeZone: timeZone ?? 'UTC' })}
              searchable
              allowDeselect={false}
            />
          </Group>
        </Stack>
      )}
    </Stack>
  );
}

/** What the rule would have raised over the stored events, and which limit would have raised nothing. */
function Trial({ webhookId, rule }: Pick<SilenceFieldsProps, 'webhookId' | 'rule'>) {
  const { schedule, afterSeconds } = rule;
  const path = `/v2/webhooks/${webhookId}/silence-trial`;
  const { data } = useQuery({
    queryKey: [path, schedule],
    queryFn: ({ signal }) =>
      requestJson<One<SilenceTrial>>(path, { method: 'POST', json: { schedule }, signal }),
    retry: false,
  });
  if (!data) return null;
  const { events, longestGapSeconds, candidates, proposedSeconds, from } = data.data;
  if (events < 2)
    return (
      <Text size="sm" c="dimmed">
        There are too few stored events to say what this would have raised.
      </Text>
    );
  const days = Math.max(1, Math.round((Date.now() - Date.parse(from)) / 86_400_000));
  const shorter = candidates.filter((one) => one.afterSeconds <= afterSeconds).at(-1);
  return (
    <Text size="sm" c="dimmed" role="status">
      {`${counted(events, 'event')} in ${counted(days, 'day')}, the longest time between two: ${duration(longestGapSeconds)}. `}
      {longestGapSeconds < afterSeconds
        ? 'This limit would have raised no alert. '
        : shorter && `This limit would have raised up to ${counted(shorter.alerts, 'alert')}. `}
      {proposedSeconds !== null && `Proposed: ${counted(proposedSeconds / MINUTE_S, 'minute')}.`}
    </Text>
  );
}
