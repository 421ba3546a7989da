import { destinationKey, OWN_INTEGRATION } from '../../db/outbox/own-integration.js';
import type { Trouble, WatchedLane } from '../../db/outbox/trouble.js';
import type { Report } from '../events/store/report.js';
import { duration } from '../text/quantities.js';

type Named = Pick<WatchedLane, 'id' | 'name' | 'host' | 'preset'>;

const SEVERITY = 'error';

/**
 * Returns the report that a destination is in trouble. It has nothing that is secret: of the URL only the host, and nothing of a response.
 * @param outcome of the last attempt: `http_503`, `dns`
 */
export function troubleReport(
  { id, name, host, preset, failingSince }: Named & Pick<WatchedLane, 'failingSince'>,
  { kind, at, outcome }: { kind: Trouble; at: Date; outcome: string | null },
): Report {
  const last = outcome === null ? null : `The last attempt ended with \`${outcome}\`.`;
  const seconds = failingSince && (at.getTime() - failingSince.getTime()) / 1_000;
  const since = seconds === null ? null : `It has accepted nothing for ${duration(seconds)}.`;
  return {
    webhookId: OWN_INTEGRATION.id,
    at: at.getTime(),
    body: { muster: 'destination', destinationId: id, problem: kind, at, outcome },
    item: {
      key: destinationKey(id),
      status: 'firing',
      severity: SEVERITY,
      title: `Destination ${name} ${TITLES[kind]}`,
      description: [WHAT[kind], kind === 'failing' || kind === 'stopped' ? since : null, last, NEXT[kind]]
        .filter(Boolean)
        .join(' '),
      custom: { destination: id, problem: kind, host, preset },
    },
  };
}

/** Returns the report that the trouble of a destination is over. */
export const troubleOver = (destinationId: string, at: Date, reason: string): Report => ({
  webhookId: OWN_INTEGRATION.id,
  at: at.getTime(),
  body: { muster: 'destination', destinationId, problem: null, at, reason },
  item: {
    key: destinationKey(destinationId),
    status: 'resolved',
    severity: SEVERITY,
    title: null,
    description: reason,
    custom: {},
  },
});

const TITLES: Record<Trouble, string> = {
  gone: 'is stopped: its receiver is gone',
  stopped: 'is stopped: it has failed for three days',
  failing: 'fails',
  unreadable: 'cannot be read',
  dead: 'did not get a message',
};

const WHAT: Record<Trouble, string> = {
  gone: 'The receiver responded that it no longer exists. Messages wait for up to a day.',
  stopped: 'Nothing more is sent. Messages wait for up to a day.',
  failing: 'Messages wait for up to a day, and one at a time tries again.',
  unreadable:
    'Its URL or secret was encrypted with another SECRET_KEY, no worker has a SECRET_KEY, or this release does not know its preset. Nothing is sent.',
  dead: 'A message was given up: after its last attempt, or because its body could not be drawn.',
};

const NEXT: Record<Trouble, string> = {
  gone: 'Enter its new URL, or resume it.',
  stopped: 'Repair its receiver, and resume it.',
  failing: 'Its messages have the responses of the receiver.',
  unreadable:
    'Give workers the SECRET_KEY of the API. If it was changed, set SECRET_KEY_OLD to the former key, or enter the URL and the secret again.',
  dead: 'Its messages have the reason. Replay them once the cause is mended.',
};
