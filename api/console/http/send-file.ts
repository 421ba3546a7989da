import { address, authorization, type QueryValue, toFailure } from './request.ts';
import { RequestFailure } from './request-failure.ts';
import type { Accepted } from './types.ts';

interface FileToSend {
  path: string;
  query: Record<string, QueryValue>;
  file: File;
  idempotencyKey: string;
  /** Told the share that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file as the one part of a form, and answers the job that it became. By XMLHttpRequest, as fetch does not tell
 * how much has been sent. Throws a RequestFailure, code `file_changed` when the file is no longer as it was chosen.
 */
export async function sendFile({ path, query, file, idempotencyKey, ...way }: FileToSend): Promise<Accepted> {
  const headers = { ...authorization(), 'idempotency-key': idempotencyKey, prefer: 'respond-async' };
  const answer = await send(address(path, query), headers, file, way);
  if (answer === null) throw await whyUnsent(file);
  if (!answer.ok) throw await toFailure(answer, headers);
  return (await answer.json()) as Accepted;
}

/** Null when there was no answer. */
function send(
  url: string,
  headers: Record<string, string>,
  file: File,
  { onProgress, signal }: Pick<FileToSend, 'onProgress' | 'signal'>,
): Promise<Response | null> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('file', file);
    const xhr = new XMLHttpRequest();
    xhr.open('PATCH', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    xhr.onload = () => resolve(new Response(xhr.responseText, { status: xhr.status }));
    xhr.onerror = () => resolve(null);
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

/** Browsers refuse to send a file that was changed on the disk since it was chosen, and do not say so. */
async function whyUnsent(file: File): Promise<RequestFailure> {
  const readable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(() => true)
    .catch(() => false);
  if (readable) return new RequestFailure(0, null);
  const message = 'The file is no longer as it was when you chose it.';
  return new RequestFailure(0, { code: 'file_changed', message });
}
