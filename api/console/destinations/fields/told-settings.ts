import type { Destination } from '../../http/types.ts';

/** Who is told of what, and how. Numbers are as they are entered; an empty one stands for null. */
export type ToldSettings = Pick<
  Destination,
  'name' | 'description' | 'webhookIds' | 'types' | 'severityAtLeast' | 'mode'
> &
  Record<'settleSeconds' | 'ratePerMinute' | 'repeatEveryMinutes' | 'digestAbove', number | string>;

/** Returns the settings of a destination as a form has them. */
export const toForm = (destination: Destination): ToldSettings => {
  const { name, description, webhookIds, types, severityAtLeast, mode, settleSeconds } = destination;
  const { ratePerMinute, repeatEveryMinutes, digestAbove } = destination;
  return {
    name,
    description,
    webhookIds,
    types,
    severityAtLeast,
    mode,
    settleSeconds,
    ratePerMinute: ratePerMinute ?? '',
    repeatEveryMinutes: repeatEveryMinutes ?? '',
    digestAbove: digestAbove ?? '',
  };
};

/** Returns the settings of a form as the API has them. */
export const fromForm = (form: ToldSettings) => ({
  ...form,
  name: form.name.trim(),
  description: form.description.trim(),
  types: TYPES.map(({ value }) => value).filter((type) => form.types.includes(type)),
  settleSeconds: Number(form.settleSeconds),
  ratePerMinute: numberOrNull(form.ratePerMinute),
  repeatEveryMinutes: numberOrNull(form.repeatEveryMinutes),
  digestAbove: numberOrNull(form.digestAbove),
});

const numberOrNull = (entered: number | string): number | null => (entered === '' ? null : Number(entered));

/** Returns whether everything that is needed is entered. */
export const isComplete = ({ name, webhookIds }: ToldSettings): boolean =>
  name.trim() !== '' && webhookIds?.length !== 0;

export const TYPES = [
  { value: 'alert.fired', label: 'Fired', description: 'A new alert' },
  { value: 'alert.changed', label: 'Changed', description: 'An alert that has another severity' },
  { value: 'alert.resolved', label: 'Resolved', description: 'The end of an alert that it was told of' },
] as const satisfies readonly { value: Destination['types'][number]; label: string; description: string }[];

export const MODES = [
  { value: 'every', label: 'Send every message, in order' },
  { value: 'latest', label: 'Send only the newest message about a key' },
] as const satisfies readonly { value: Destination['mode']; label: string }[];
