import type { Preset, RenderedBody, Told, ToldJob } from './preset.js';
import { wellFormed } from './records.js';
import { judgeStatus } from './verdicts.js';

/** Everything that Muster knows, as Standard Webhooks recommends: for programs. */
export const webhook: Preset = {
  name: 'webhook',
  title: 'Webhook',
  mode: 'every',
  ratePerSecond: 10,
  isUrlSecret: false,
  isSigned: true,
  drawsOwnBody: true,
  takesHeaders: true,
  render: (told) => ({ contentType: 'application/json', text: jsonText(bodyOf(told)) }),
  judge: judgeStatus,
};

const bodyOf = ({ type, at, sequence, isTest, alert }: Told) => ({
  type,
  timestamp: at,
  data: { sequence, test: isTest, alert: { ...alert, custom: wellFormed(alert.custom) } },
});

/** Returns the message about a job. */
export const renderJob = ({ at, sequence, isTest, previousStatus, job }: ToldJob): RenderedBody => ({
  contentType: 'application/json',
  text: jsonText({
    type: 'job.finished',
    timestamp: at,
    data: { sequence, test: isTest, previousStatus, job },
  }),
});

/** How `JSON.stringify` writes a lone surrogate, which is valid JSON and rejected by many parsers. Others match too. */
const MAYBE_LONE = /\\ud[89a-f]/;

const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return MAYBE_LONE.test(text) ? JSON.stringify(value, wellFormedPart) : text;
};

const wellFormedPart = (_: string, part: unknown): unknown =>
  typeof part === 'string' ? part.toWellFormed() : part;
