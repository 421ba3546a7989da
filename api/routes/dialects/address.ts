import type { IncomingMessage } from 'node:http';
import { parseQuery } from '../../http/parse-query.js';
import { INTAKE_PREFIX } from '../events/intake.js';
import { alerta } from './alerta/index.js';
import { alertmanagerV1, alertmanagerV2 } from './alertmanager/index.js';
import type { Address, Dialect } from './dialect.js';
import { healthchecks } from './healthchecks/index.js';
import { onCall } from './oncall/index.js';
import { opsgenie } from './opsgenie/index.js';
import { pagerDutyV1, pagerDutyV2 } from './pagerduty/index.js';

/** A request in a dialect. */
export interface Call {
  dialect: Dialect;
  address: Address;
}

/** To add a dialect, see docs/architecture/dialects.md. */
const DIALECTS: readonly Dialect[] = [
  ...[pagerDutyV2, pagerDutyV1],
  opsgenie,
  ...[alertmanagerV2, alertmanagerV1],
  healthchecks,
  alerta,
  onCall,
];

/**
 * Returns the dialect of a request, which method, path and authorization tell; null if it has none. Asked for every request, before it is
 * routed.
 */
export function callOf({ method = '', url = '', headers }: IncomingMessage): Call | null {
  const end = url.indexOf('?');
  const whole = end < 0 ? url : url.slice(0, end);
  let [path, token]: [string, string | null] = [whole, null];
  if (whole.startsWith(INTAKE_PREFIX)) {
    const at = whole.indexOf('/', INTAKE_PREFIX.length);
    // Most requests are plain events.
    if (at < 0 || at === whole.length - 1) return null;
    [path, token] = [whole.slice(at), whole.slice(INTAKE_PREFIX.length, at)];
  }
  const address: Address = {
    method,
    // Of an address with a slash at its end, and a path.
    path: path.startsWith('//') ? path.replace(/^\/+/, '/') : path,
    headers,
    token,
    get query() {
      return parseQuery(end < 0 ? '' : url.slice(end + 1));
    },
  };
  const dialect = DIALECTS.find((one) => one.speaks(address));
  return dialect ? { dialect, address } : null;
}
