import {
  digestOf,
  type PostedAlert,
  sizeOf,
  timeAt,
  webhookOf,
} from '../../../../workers/alertmanager/posted-alert.js';
import { badRequest, type RequestError, unsupportedMedia } from '../../../http/errors.js';
import {
  type Address,
  type Dialect,
  type DialectRoute,
  invalidEvent,
  type Received,
  type Reply,
} from '../dialect.js';
import { readAlert } from './read-alert.js';

const STARTED_AT = new Date();
/** Clients compare it with the versions that they support. */
const VERSION = '0.27.0';

const json = (body: object | string): Reply => ({ status: 200, body });
const OK: Reply = { status: 200, body: null, text: 'OK' };
const read = (name: string, path: RegExp, reply: () => Reply): DialectRoute => ({
  methods: ['GET', 'HEAD'],
  path,
  name,
  bodiless: true,
  handle: async () => reply(),
});

/** API v2: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml */
export const alertmanagerV2: Dialect = {
  speaks: ({ path }) => path.startsWith('/api/v2/') || path.startsWith('/-/'),
  routes: [
    {
      methods: ['POST'],
      path: /^\/api\/v2\/alerts\/?$/,
      name: '/api/v2/alerts',
      isList: true,
      async handle(received) {
        rejectOtherTypes(received);
        await acceptAlerts(received);
        return { status: 200, body: null };
      },
    },
    // Muster lists alerts with `GET /v2/alerts`. Programs that only look whether there is anything find nothing.
    read('/api/v2/alerts', /^\/api\/v2\/alerts\/?$/, () => json([])),
    read('/api/v2/alerts/groups', /^\/api\/v2\/alerts\/groups\/?$/, () => json([])),
    read('/api/v2/receivers', /^\/api\/v2\/receivers\/?$/, () => json([])),
    read('/api/v2/silences', /^\/api\/v2\/silences\/?$/, () => json([])),
    {
      methods: ['POST'],
      path: /^\/api\/v2\/silences\/?$/,
      name: '/api/v2/silences',
      bodiless: true,
      handle: async () => ({ status: 400, body: NO_SILENCES }),
    },
    read('/api/v2/status', /^\/api\/v2\/status\/?$/, () => json(status())),
    read('/-/healthy', /^\/-\/healthy\/?$/, () => OK),
    read('/-/ready', /^\/-\/ready\/?$/, () => OK),
  ],
  tokenOf,
  rejection(error) {
    const { code, details } = error;
    const status = statusOf(error);
    // The original returns a text for invalid alerts, and an object for whatever else is wrong.
    if (details.errors?.length) return { status, body: textOf(error) };
    const message = UNREADABLE.has(code)
      ? `parsing alerts body from "" failed, because ${error.message}`
      : error.message;
    return { status, body: { code: status, message }, headers: headersOf(error) };
  },
};

/** API v1, which old versions of Prometheus and Thanos still speak. */
export const alertmanagerV1: Dialect = {
  speaks: ({ path }) => /^\/api\/v1\/(?:alerts|status|silences?|receivers)(?:\/|$)/.test(path),
  routes: [
    {
      methods: ['POST'],
      path: /^\/api\/v1\/alerts\/?$/,
      name: '/api/v1/alerts',
      isList: true,
      async handle(received) {
        await acceptAlerts(received);
        return json({ status: 'success' });
      },
    },
    {
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      path: /^\/api\/v1\/.*$/,
      name: '/api/v1',
      bodiless: true,
      handle: async () => ({ status: 410, body: { status: 'deprecated', error: DEPRECATED } }),
    },
  ],
  tokenOf,
  rejection: (error) => ({
    status: statusOf(error),
    body: {
      status: 'error',
      errorType: statusOf(error) < 500 ? 'bad_data' : 'server_error',
      error: textOf(error),
    },
    headers: headersOf(error),
  }),
};

/** Whatever the integration responds with to others, a client of Alertmanager knows 429. */
const statusOf = ({ status, code }: RequestError): number => (code === 'over_limit' ? 429 : status);

/** Codes of bodies that are no JSON array. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'malformed_json',
  'empty_body',
  'malformed_body',
  'too_deep',
]);

const textOf = ({ message, details: { errors } }: RequestError): string =>
  errors?.length ? errors.map((error) => error.message).join('; ') : message;

const NO_SILENCES =
  'Muster has no silences. Filter events in the mapping of the integration, or alerts in a destination.';
const DEPRECATED =
  'The Alertmanager v1 API was deprecated in version 0.16.0 and is removed as of version 0.27.0 - please use the equivalent route in the v2 API';

function status() {
  const unknown = { revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' };
  return {
    cluster: { status: 'disabled', peers: [] },
    versionInfo: { version: VERSION, ...unknown },
    config: { original: '' },
    uptime: STARTED_AT.toISOString(),
  };
}

/** Returns the token that is the password of a user with any name, or a bearer token. */
function tokenOf({ headers: { authorization = '' } }: Address): string | null {
  const [scheme = '', value = ''] = authorization.split(' ', 2);
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return null;
  const [, password = ''] = Buffer.from(value, 'base64').toString().split(/:(.*)/s);
  return password;
}

function headersOf({ status, details: { headers = {} } }: RequestError): Record<string, string> {
  return status === 401 ? { ...headers, 'WWW-Authenticate': 'Basic realm="Muster"' } : headers;
}

function rejectOtherTypes({ address }: Received): void {
  const type = address.headers['content-type'] ?? 'application/json';
  if (!/^\s*application\/json\s*(?:;|$)/i.test(type))
    throw unsupportedMedia(`unsupported media type "${type}", only [application/json] are allowed`);
}

/**
 * Accepts each alert as an event of its own, so that one that is invalid keeps no other one away.
 * @throws RequestError 400 with the first faults, after the valid ones were accepted
 */
async function acceptAlerts({ list, acceptAll, target, req, services }: Received): Promise<void> {
  const { intake, log, clock, settings } = services;
  const limit = settings.intakeMaxBytes;
  const webhookId = target.webhook.id;
  const faults: { field: string; message: string }[] = [];
  const addFault = (index: number, message: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ field: `[${index}]`, message });
  };
  let late: { lagMs: number; raw: string } | null = null;
  const watchClock = (alert: PostedAlert): void => {
    const receivedAt = clock.now();
    const [startedAt, endedAt] = [alert.startsAt, alert.endsAt].map((time) => timeAt(time ?? ''));
    if (!startedAt || !endedAt || endedAt > receivedAt) return;
    const lagMs = intake.senderClocks.lagOf(webhookId, {
      digest: digestOf(alert),
      startedAt,
      endedAt,
      receivedAt,
    });
    if (lagMs !== null) late = { lagMs, raw: JSON.stringify(webhookOf(alert, receivedAt)) };
  };
  function* alerts(): Generator<PostedAlert> {
    for (const [index, value] of list.entries()) {
      const alert = readAlert(value);
      if (typeof alert === 'string') addFault(index, alert);
      else if (sizeOf(alert) > limit) addFault(index, `the alert exceeds the limit of ${limit} bytes`);
      else {
        watchClock(alert);
        yield alert;
      }
    }
  }
  await acceptAll(alerts());
  if (late) {
    const { lagMs, raw } = late;
    const error = clockBehind(lagMs);
    log.warn({ webhookId, lagMs }, 'the clock of a sender is behind: its alerts end before they arrive');
    await intake.recordRejected(target, req, Buffer.from(raw), error);
  }
  if (faults.length > 0) throw invalidEvent(400, faults);
}

const MAX_FAULTS = 100;

/** What is recorded for people: the sender gets no error, because it cannot do anything about it. */
const clockBehind = (lagMs: number): RequestError =>
  badRequest(
    'sender_clock_behind',
    `The clock of the sender is behind that of Muster: \`endsAt\` moves on with each message, and was over ${Math.round(lagMs / 1_000)} s before this one arrived, so the alert does not fire. Synchronize the clocks.`,
  );
