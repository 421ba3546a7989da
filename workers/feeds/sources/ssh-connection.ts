import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { AuthenticationType, Client, ClientErrorExtensions } from 'ssh2';
import type { SourceOf } from './settings.js';
import { SourceError } from './source-error.js';

/** The attempts to log in, in order. Many servers ask for the password in a dialog. */
const METHODS: readonly { type: AuthenticationType; needs: 'privateKey' | 'password' }[] = [
  { type: 'publickey', needs: 'privateKey' },
  { type: 'password', needs: 'password' },
  { type: 'keyboard-interactive', needs: 'password' },
];

/**
 * Logs in to an SSH server. It is sent no password and no signature unless its key is the pinned one. The library is loaded on first use.
 * @param signal ends it
 * @throws SourceError
 */
export async function logIn(source: SourceOf<'sftp'>, sock: Socket, signal: AbortSignal): Promise<Client> {
  const { host, user, hostKey, password, privateKey, passphrase } = source;
  const ssh2 = (await import('ssh2')).default;
  const client = new ssh2.Client();
  let found: string | null = null;
  try {
    if (privateKey !== null) checkPrivateKey(ssh2.utils.parseKey(privateKey, passphrase ?? undefined));
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      signal.throwIfAborted();
      // It stays: without a listener, what happens to the connection later would end the process.
      client.on('error', (error) =>
        reject(found === null ? loginError(host, error) : otherKey(host, found, hostKey)),
      );
      client.once('close', () => reject(new SourceError('reset', `${host} closed the connection.`)));
      client.once('ready', resolve);
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, respond) =>
        respond(prompts.map(() => password ?? '')),
      );
      client.connect({
        sock,
        username: user,
        ...(password === null ? {} : { password }),
        ...(privateKey === null ? {} : { privateKey }),
        ...(passphrase === null ? {} : { passphrase }),
        tryKeyboard: password !== null,
        authHandler: METHODS.filter(({ needs }) => source[needs] !== null).map(({ type }) => type),
        hostVerifier: (key: Buffer) => {
          if (fingerprintOf(key) === hostKey) return true;
          found = `${typeOf(key)} ${fingerprintOf(key)}`;
          return false;
        },
        // The caller has a deadline for all of it.
        readyTimeout: 0,
      });
    });
    return client;
  } catch (error) {
    client.destroy();
    sock.destroy();
    throw error;
  }
}

const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;

/** A key begins with the length of its type, and its type, such as `ssh-ed25519`. */
const typeOf = (key: Buffer): string =>
  key
    .subarray(4, 4 + Math.min(key.readUInt32BE(0), 50))
    .toString('latin1')
    .replace(/[^\w@.-]/g, '?');

const otherKey = (host: string, found: string, pinned: string): SourceError =>
  new SourceError(
    'host_key',
    `${host} has the key ${found}, and not ${pinned} as in \`hostKey\`, so it was sent no password. Ask its operator which key it has: it may be another server.`,
  );

function checkPrivateKey(parsed: unknown): void {
  if (!(parsed instanceof Error)) return;
  throw new SourceError(
    'auth',
    'The private key cannot be read. Check that `privateKey` is complete, with its first and last line, and that `passphrase` is right.',
  );
}

function loginError(host: string, error: Error & ClientErrorExtensions): unknown {
  switch (error.level) {
    case 'client-authentication':
      return new SourceError('auth', `${host} rejects the login. Check \`user\`, and the password or key.`);
    case 'handshake':
    case 'protocol':
      return new SourceError(
        'invalid_response',
        `${host} does not agree on a connection by SSH: ${plain(error.message)}.`,
      );
    default:
      return new SourceError('reset', `The connection to ${host} failed.`);
  }
}

/** Words of the library, which may contain those of the server. */
const plain = (message: string): string => message.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
