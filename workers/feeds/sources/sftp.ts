import { posix } from 'node:path';
import { Readable } from 'node:stream';
import type { Client, SFTPWrapper } from 'ssh2';
import { withDeadline } from '../../outbound/deadline.js';
import { OutboundError } from '../../outbound/outbound-error.js';
import { deadlinesOf, type FetchContext, type FetchedFile } from './fetched-file.js';
import { checkSize, endedEarly, guarded } from './guarded.js';
import type { SourceOf } from './settings.js';
import { bytesOf, openRemote, type RemoteFile, sftpCodeOf, statsOf } from './sftp-file.js';
import { SourceError, toSourceError } from './source-error.js';
import { logIn } from './ssh-connection.js';

type SftpSource = SourceOf<'sftp'>;

interface Session {
  client: Client;
  sftp: SFTPWrapper;
  file: RemoteFile;
}

/**
 * Opens a file of an SSH server. Its size and the time of its last change are its version, and must be the same after the last byte.
 * @throws SourceError
 */
export async function fetchFromSftp(
  source: SftpSource,
  context: FetchContext,
): Promise<FetchedFile | 'unchanged'> {
  const { responseMs } = deadlinesOf(context);
  try {
    const { client, sftp, file } = await withDeadline(
      responseMs,
      source.host,
      (signal) => openSession(source, context, signal),
      context.stopped,
    );
    const { size, mtime } = file.stats;
    const name = posix.basename(file.path);
    const version = `${name} ${size} ${mtime}`;
    if (version === context.known) {
      client.destroy();
      return 'unchanged';
    }
    const content = contentOf({ client, sftp, file }, source, context);
    return { name, version, modifiedAt: new Date(mtime * 1_000), contentType: null, content };
  } catch (error) {
    throw context.stopped.aborted ? context.stopped.reason : toFileError(source, error);
  }
}

async function openSession(source: SftpSource, context: FetchContext, signal: AbortSignal): Promise<Session> {
  const { host, port } = source;
  const place = { host, port, isStandard: port === 22, rule: 'The port must be 22' };
  const socket = await context.outbound.connect(place, deadlinesOf(context).connectMs, signal);
  const client = await logIn(source, socket, signal);
  const end = () => client.destroy();
  signal.addEventListener('abort', end);
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once('close', () => reject(new SourceError('reset', `${host} closed the connection.`)));
      client.sftp((error, opened) => (error ? reject(noSftp(host)) : resolve(opened)));
    });
    // Without a listener, what the server does wrong would end the process.
    sftp.on('error', end);
    const file = await openRemote(sftp, source.path);
    checkSize(host, file.stats.size, context.maxBytes);
    signal.throwIfAborted();
    return { client, sftp, file };
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function contentOf({ client, sftp, file }: Session, source: SftpSource, context: FetchContext): Readable {
  const { host } = source;
  const { size, mtime } = file.stats;
  const checkEnd = async (bytes: number) => {
    const now = await statsOf(sftp, file.handle);
    if (now.size !== size || now.mtime !== mtime) throw changed(host);
    if (bytes !== size) throw endedEarly(host, bytes, size);
  };
  const toError = (error: Error) => toFileError(source, error);
  const bytes = Readable.from(bytesOf(sftp, file.handle), { objectMode: false });
  const content = guarded(
    bytes,
    { name: host, bytes: null, maxBytes: context.maxBytes, toError, checkEnd },
    context,
  );
  content.once('close', () => client.destroy());
  return content;
}

const changed = (host: string): SourceError =>
  new SourceError(
    'changed',
    `The file of ${host} changed while it was read. Let its writer use another name, and rename the file when it is complete.`,
  );
const noSftp = (host: string): SourceError =>
  new SourceError('rejected', `${host} accepts the login, but offers no SFTP to this user.`);

/** Status codes of the protocol. */
const [NO_SUCH_FILE, PERMISSION_DENIED, NO_SUCH_PATH] = [2, 3, 10];

function toFileError({ host, path }: SftpSource, error: unknown): unknown {
  if (error instanceof SourceError) return error;
  switch (sftpCodeOf(error)) {
    case null:
      break;
    case NO_SUCH_FILE:
    case NO_SUCH_PATH:
      return new SourceError(
        'not_found',
        `${host} has no file ${path} that this user may see. A path without / at its start begins at the directory after login.`,
      );
    case PERMISSION_DENIED:
      return new SourceError('auth', `${host} does not let this user read ${path}.`);
    default:
      return new SourceError('reset', `${host} failed to read ${path} (status ${sftpCodeOf(error)}).`);
  }
  if (error instanceof OutboundError) return toSourceError(error);
  return new SourceError(
    'incomplete',
    `${host} ended the connection before the end of the file. Nothing of it is used.`,
  );
}
