import { expect, test } from '@jest/globals';
import { mailText } from '../../../api/console/destinations/messages/mail-text.js';
import {
  describeOutcome,
  describeReason,
  MESSAGE_STATES,
} from '../../../api/console/destinations/messages/message-words.js';
import { PRESETS } from '../../../api/console/destinations/presets.js';
import { OWN_INTEGRATION } from '../../../api/console/integrations/webhook/own-integration.js';
import { OWN_INTEGRATION as STORED_INTEGRATION } from '../../../db/outbox/own-integration.js';
import { MESSAGE_STATES as STORED_STATES } from '../../../db/outbox/transitions.js';
import { PRESETS as SENT } from '../../../workers/outbox/presets/index.js';
import type { Preset } from '../../../workers/outbox/presets/preset.js';
import { FIRED } from '../../support/outbox/told.js';

test('the console knows of each preset what the API does with it', () => {
  const perMinute = (rate: number | null) => (rate === null ? null : Math.round(rate * 60));
  expect(
    Object.entries(PRESETS).map(([name, { title, mode, ratePerMinute, isSigned, secret, digestAbove }]) => ({
      name,
      title,
      mode,
      ratePerMinute,
      isSigned: isSigned ?? false,
      needsSecret: secret !== undefined,
      hasDigest: digestAbove !== undefined,
    })),
  ).toEqual(
    Object.values(SENT).map(
      ({ name, title, mode, ratePerSecond, isSigned, needsSecret, renderDigest }: Preset) => ({
        name,
        title,
        mode,
        ratePerMinute: perMinute(ratePerSecond),
        isSigned,
        needsSecret: needsSecret ?? false,
        hasDigest: renderDigest !== undefined,
      }),
    ),
  );
});

const message = {
  id: 'msg_1_1',
  sequence: 1,
  destinationId: '',
  alertId: '',
  alertTitle: null,
  webhookId: '',
  jobId: null,
  jobType: null,
  change: 'fired',
  createdAt: '',
  digestedInto: null,
  attempts: 0,
  dueAt: null,
  endedAt: null,
  replayedAt: null,
} as const;

test.each([
  ['delivered', null, 1, null],
  ['waiting', null, 0, null],
  ['waiting', 'http_503', 2, 'Last attempt: the receiver responded with 503'],
  ['dead', 'refused', 12, 'Last attempt: the host refused the connection'],
  ['filtered', 'severity', 0, 'Not severe enough for the destination'],
  ['superseded', 'not_told', 0, 'The destination was not told that the alert fired'],
  ['expired', 'expired', 3, 'It could not be delivered in time'],
  ['dead', 'of_another_release', 1, 'Last attempt: of_another_release'],
] as const)('%s because of %s after %d attempts reads as %p', (state, reason, attempts, words) => {
  expect(describeReason({ ...message, state, reason, attempts })).toBe(words);
});

test('each state can be filtered, and an attempt that goes on has no outcome yet', () => {
  expect(MESSAGE_STATES).toEqual(STORED_STATES);
  expect(describeOutcome(null)).toBe('No outcome yet');
});

test('the console knows what alerts about destinations belong to', () => {
  expect(OWN_INTEGRATION).toEqual(STORED_INTEGRATION);
});

test('of a mail its subject and text are shown, and not the JSON that it is made of', () => {
  const { text: body } = SENT.email.render(FIRED, null);
  expect(mailText('email', body)).toMatch(/^Subject: FIRED: High CPU on web-1 \(warning\)\n\nFIRED: [^{}]+$/);
  expect(mailText('webhook', body)).toBeNull();
  expect(mailText(undefined, body)).toBeNull();
});
