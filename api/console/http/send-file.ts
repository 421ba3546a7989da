import { address, authorization, type QueryValue, toFailure } from './request.ts';
import { RequestFailure } from './request-failure.ts';
import type { Accepted } from './types.ts';

export type FileMethod = 'PUT' | 'PATCH' | 'POST' | 'DELETE';

interface FileToSend {
  /** Default: `PATCH`. */
  method?: FileMethod;
  path: string;
  query: Record<string, QueryValue>;
  file: File;
  idempotencyKey: string;
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file as the only part of a form and returns the job that processes it. Uses XMLHttpRequest because fetch does
 * not report upload progress.
 * @throws {RequestFailure} with code `file_changed` if the file has changed since it was chosen
 */
export async function sendFile<Body = Accepted>({
  path,
  query,
  file,
  idempotencyKey,
  ...options
}: FileToSend): Promise<Body> {
  const headers = { ...authorization(), 'idempotency-key': idempotencyKey, prefer: 'respond-async' };
  const response = await send(address(path, query), headers, file, options);
  if (response === null) throw await explainNoResponse(file);
  if (!response.ok) throw await toFailure(response, headers);
  return (await response.json()) as Body;
}

/** Sends the form. Resolves to null without a response. */
function send(
  url: string,
  headers: Record<string, string>,
  file: File,
  { method = 'PATCH', onProgress, signal }: Pick<FileToSend, 'method' | 'onProgress' | 'signal'>,
): Promise<Response | null> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('file', file);
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    xhr.onload = () => resolve(new Response(xhr.responseText, { status: xhr.status }));
    xhr.onerror = () => resolve(null);
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

/** Returns why there was no response. Browsers do not send a file that changed on disk, and do not report the reason. */
async function explainNoResponse(file: File): Promise<RequestFailure> {
  const readable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(() => true)
    .catch(() => false);
  return readable ? new RequestFailure(0, null) : fileChanged();
}

/** Returns the failure of a file that the browser can no longer read. */
export const fileChanged = (): RequestFailure =>
  new RequestFailure(0, { code: 'file_changed', message: 'The file has changed since you chose it.' });
