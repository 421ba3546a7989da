import type { IncomingMessage } from 'node:http';
import type { AuditOrigin } from '../../db/audit/entry.js';
import { type ClientAddress, shortenAddress } from './client-address.js';

/** Who makes a request. */
export interface RequestOrigin extends AuditOrigin {
  actor: AuditOrigin['actor'] & { id: string };
  requestId: string;
}

interface Caller {
  kind: AuditOrigin['actor']['kind'];
  id: string;
  name: string;
}

/**
 * Returns what the audit log says of a request.
 * @param action the `operationId` of its route
 */
export const originOf = (
  { kind, id, name }: Caller,
  action: string,
  { requestId, req, settings }: { requestId: string; req: IncomingMessage; settings: ClientAddress },
): RequestOrigin => ({
  actor: { kind, id, name },
  action,
  requestId,
  address: shortenAddress(req, settings),
});
