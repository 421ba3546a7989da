import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2';
import { keyPair } from './openssh-server.js';

const { STATUS_CODE } = ssh2.utils.sftp;

/** How the server treats a file. */
export interface Behavior {
  /** The size that it declares. */
  size: number;
  /** What it has. */
  content: Buffer;
  /** Returns false to send no bytes from a position on. */
  read?: (position: number, connection: Connection) => boolean;
}

/** Starts an SSH server with the password `p4ss` for SFTP, which can be told to misbehave as no real one does on demand. */
export async function startBrokenSftp(methods: readonly AuthContext['method'][] = ['password']) {
  const { private: privateKey, fingerprint } = keyPair();
  const attempts: string[] = [];
  const connections = new Set<Connection>();
  let behavior: Behavior = { size: 0, content: Buffer.alloc(0) };
  const logIn = (context: AuthContext) => {
    attempts.push(context.method);
    if (!methods.includes(context.method)) return context.reject([...methods] as 'password'[]);
    if (context.method === 'password')
      return context.password === 'p4ss' ? context.accept() : context.reject();
    if (context.method !== 'keyboard-interactive') return context.reject();
    context.prompt([{ prompt: 'Password: ', echo: false }], (replies) =>
      replies[0] === 'p4ss' ? context.accept() : context.reject(),
    );
  };
  const serve = (sftp: SFTPWrapper, connection: Connection) => {
    const attrs = () => ({ mode: 0o100644, uid: 0, gid: 0, size: behavior.size, atime: 1_000, mtime: 1_000 });
    sftp.on('STAT', (id) => sftp.attrs(id, attrs()));
    sftp.on('FSTAT', (id) => sftp.attrs(id, attrs()));
    sftp.on('OPEN', (id) => sftp.handle(id, Buffer.from('file')));
    sftp.on('READ', (id, _handle, position, length) => {
      if (behavior.read?.(position, connection) === false) return;
      const chunk = behavior.content.subarray(position, position + Math.min(length, 32_768));
      if (chunk.length === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, chunk);
    });
  };
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    connection.once('close', () => connections.delete(connection));
    connection.on('authentication', logIn);
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => serve(acceptSftp(), connection));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: fingerprint,
    attempts,
    behave: (how: Behavior) => {
      behavior = how;
    },
    stop: async () => {
      for (const connection of connections) connection.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
