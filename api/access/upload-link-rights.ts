import type { UploadLink } from '../../db/access/upload-links.js';
import { RequestError } from '../http/errors.js';

/** Which query parameters an upload link may send to which operation. Every other operation and parameter is closed to it. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  getCurrentUploadLink: [],
  previewUpload: ['action', 'charset', 'sheet', 'columns', 'damaged', 'integrationId', 'complete'],
  updateIdentities: [
    'onError',
    'dryRun',
    'charset',
    'sheet',
    'columns',
    'damaged',
    'integrationId',
    'expectedRows',
  ],
  // The handlers of these show the jobs of a key or a link only to those who may see them.
  getJob: [],
  downloadRejectedRows: [],
};

/**
 * Checks that an upload link opens an operation.
 * @throws RequestError 403 `not_for_upload_links`
 */
export function requireOpenToLinks(operationId: string): void {
  if (!Object.hasOwn(OPEN, operationId))
    throw closed('An upload link cannot do this. It only uploads files.');
}

/**
 * Checks what an upload link asks for of an operation that it opens: its account system, and no other option than the open ones.
 * @param query as the operation has parsed it
 * @throws RequestError 403 `not_for_upload_links`
 */
export function checkLinkRequest(
  operationId: string,
  query: Readonly<Record<string, unknown>>,
  { integrationId }: UploadLink,
): void {
  const open = OPEN[operationId] ?? [];
  const other = Object.keys(query).find((name) => query[name] !== undefined && !open.includes(name));
  if (other !== undefined) throw closed(`An upload link cannot use \`${other}\`.`);
  if (query.integrationId !== undefined && query.integrationId !== integrationId)
    throw closed(`This upload link is for account system ${integrationId}.`);
  if (query.action === 'remove') throw closed('An upload link cannot remove accounts.');
}

const closed = (message: string): RequestError => new RequestError(403, 'not_for_upload_links', message);
