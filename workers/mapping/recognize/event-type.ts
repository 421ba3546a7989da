import { isObject, type JsonValue } from '../values/json-value.js';
import type { EventRequest } from '../values/request.js';

/** Keys, folded, whose values say what kind of event a payload is. */
const KEYS: ReadonlySet<string> = new Set(
  (
    'action alerttype detailtype event eventaction eventname eventtype kind messagetype notificationtype objectkind ' +
    'resourcetype subtype triggertype type webhookevent webhooktype'
  ).split(' '),
);
/** `x-github-event`, `x-shopify-topic`, `ce-type`. */
const HEADERS = /^(?:x-[a-z0-9-]+-(?:event|topic|event-type)|ce-type)$/;
/** A name, as opposed to a sentence or an address. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.:/ -]{0,59}$/u;

/** Returns the type that an event states, such as `event=incident.triggered, action=opened`; null if it states none. */
export function eventTypeOf(payload: JsonValue, request?: EventRequest): string | null {
  const event = Array.isArray(payload) ? (payload[0] ?? null) : payload;
  const inHeaders = Object.entries(request?.headers ?? {}).filter(([name]) => HEADERS.test(name));
  const inBody = isObject(event)
    ? Object.entries(event).filter(([key]) => KEYS.has(key.replace(/[^a-zA-Z]/g, '').toLowerCase()))
    : [];
  const stated = [...inHeaders, ...inBody].flatMap(([name, value]) =>
    typeof value === 'string' && NAME.test(value) ? `${name}=${value}` : [],
  );
  return stated.length === 0 ? null : stated.slice(0, 4).join(', ');
}
