import type { RequestError } from '../../../http/errors.js';
import type { Address, Dialect, Received, Reply } from '../dialect.js';
import { pingHeartbeat } from '../heartbeats.js';

/** In Grafana Cloud, the path begins with `/oncall`. */
const ALERTS = /^(?:\/oncall)?\/integrations\/v1\/([^/]+)\/([^/]+)\/?$/;
const HEARTBEATS = /^(?:\/oncall)?\/integrations\/v1\/([^/]+)\/([^/]+)\/heartbeat\/?$/;

/** The URLs of Grafana OnCall's integrations, which was archived in 2026: https://github.com/grafana/oncall */
export const onCall: Dialect = {
  speaks: ({ path }) => /^(?:\/oncall)?\/integrations\/v1(?:\/|$)/.test(path),
  routes: [
    {
      methods: ['POST'],
      path: ALERTS,
      name: '/integrations/v1/{type}/{token}',
      isAny: true,
      handle: takeAsItIs,
    },
    {
      methods: ['GET', 'HEAD'],
      path: ALERTS,
      name: '/integrations/v1/{type}/{token}',
      bodiless: true,
      handle: async () => ({ status: 200, body: null, text: INSTRUCTION }),
    },
    {
      methods: ['GET', 'HEAD', 'POST'],
      path: HEARTBEATS,
      name: '/integrations/v1/{type}/{token}/heartbeat',
      isLog: true,
      handle: ping,
    },
  ],
  tokenOf: ({ path }: Address) => (HEARTBEATS.exec(path) ?? ALERTS.exec(path))?.[2] ?? null,
  rejection,
};

const INSTRUCTION = 'This is the URL of an integration. Send alerts to it with POST.';

/** The type says which template fits, and what the integration is mapped with is its own affair. */
async function takeAsItIs({ text, accept }: Received): Promise<Reply> {
  await accept(() => text);
  return { status: 200, body: 'Ok.' };
}

/** At OnCall, each integration has one heartbeat. Here, those of several types may have become one integration. */
async function ping(received: Received): Promise<Reply> {
  const { address, captures } = received;
  await pingHeartbeat(received, `oncall-${captures[0]}`, { result: 'success' });
  return { status: 200, body: address.method === 'POST' ? null : ':)' };
}

/** The codes of requests without a valid key. */
const KEY_FAULTS: ReadonlySet<string> = new Set(['missing_key', 'unknown_key']);

function rejection({ code, status, message, details }: RequestError): Reply {
  const { 'WWW-Authenticate': _, ...headers } = details.headers ?? {};
  const inText = (sent: number, text: string): Reply => ({ status: sent, body: null, text, headers });
  if (KEY_FAULTS.has(code)) return inText(403, 'Integration key was not found. Permission denied.');
  if (code === 'over_limit') return inText(429, message);
  return { status, body: { detail: message }, headers };
}
