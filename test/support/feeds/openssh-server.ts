import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import ssh2 from 'ssh2';
import { freePort } from '../../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../../scripts/processes/guarded.js';
import { unpackedEngine } from '../engines/describe-engine.js';
import { until } from '../until.js';

/** The program of this system, or the one that the setup of `npm test` unpacks. */
const PROGRAMS = ['/usr/sbin/sshd', join(unpackedEngine('sshd') ?? '/', 'usr/sbin/sshd')];
const program = PROGRAMS.find((path) => existsSync(path));

/** Returns why this machine cannot run a server of OpenSSH; null if it can. */
export const whyNoSshd = (): string | null =>
  program ? null : 'the server of OpenSSH could not be downloaded';

/** Nobody's, on Debian. A server that runs as root would want a user of its own. */
const [NOBODY, NOBODY_ID] = ['nobody', 65_534];

export type OpensshServer = Awaited<ReturnType<typeof startOpenssh>>;

/** Starts a server of OpenSSH as an ordinary user, with keys of its own, on which one key may log in for SFTP. */
export async function startOpenssh() {
  const root = mkdtempSync(join(tmpdir(), 'muster-sshd-'));
  const isRoot = process.getuid?.() === 0;
  const own = (path: string) => isRoot && chownSync(path, NOBODY_ID, NOBODY_ID);
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text, { mode: 0o600 });
    own(join(root, name));
  };
  chmodSync(root, 0o700);
  own(root);
  const home = join(root, 'home');
  mkdirSync(home);
  own(home);
  const [hostKey, userKey] = [keyPair(), keyPair()];
  write('host-key', hostKey.private);
  write('authorized-keys', `${userKey.public}\n`);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${root}/host-key`,
    `AuthorizedKeysFile ${root}/authorized-keys`,
    'StrictModes no',
    // Without PAM, an account counts as locked if its password cannot be read.
    'UsePAM yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PidFile none',
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${home}`,
  ];
  write('config', `${settings.join('\n')}\n`);
  const logFile = join(root, 'log');
  const running = spawnGuarded(
    [...asOrdinaryUser(isRoot), ...programIn(root), '-D', '-e', '-f', join(root, 'config')],
    {
      logFile,
      pidFile: join(root, 'pid'),
    },
  );
  const responds = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('data', () => resolve(true)).once('error', () => resolve(false));
      socket.once('close', () => resolve(false)).once('data', () => socket.destroy());
    });
  await until(`sshd responds, see ${logFile}`, responds);
  return {
    port,
    user: isRoot ? NOBODY : userInfo().username,
    hostKey: hostKey.fingerprint,
    privateKey: userKey.private,
    /** Where paths begin that are not absolute. */
    home,
    log: () => readFileSync(logFile, 'utf8'),
    stop: async () => {
      await running.stop(5_000);
      rmSync(root, { recursive: true });
    },
  };
}

const asOrdinaryUser = (isRoot: boolean): string[] =>
  isRoot ? ['/usr/bin/setpriv', `--reuid=${NOBODY_ID}`, `--regid=${NOBODY_ID}`, '--clear-groups'] : [];

/** A user without rights may not be allowed to read the folder of the project, so an unpacked program is copied. */
function programIn(root: string): string[] {
  const folder = unpackedEngine('sshd');
  if (!program || !folder || !program.startsWith(folder)) return [program ?? ''];
  const libraries = ['x86_64', 'aarch64'].map(
    (machine) => `${folder}/usr/lib/${machine}-linux-gnu/libwrap.so.0`,
  );
  for (const file of [program, ...libraries.filter((path) => existsSync(path))]) {
    copyFileSync(file, join(root, basename(file)));
    chmodSync(join(root, basename(file)), 0o755);
  }
  return ['/usr/bin/env', `LD_LIBRARY_PATH=${root}`, join(root, 'sshd')];
}

/** Returns a new key with its fingerprint. */
export function keyPair(passphrase?: string): { private: string; public: string; fingerprint: string } {
  const keys = ssh2.utils.generateKeyPairSync(
    'ed25519',
    passphrase === undefined ? {} : { passphrase, cipher: 'aes256-ctr', rounds: 16 },
  );
  // The library writes one of a few hundred keys so that neither it nor OpenSSH can read it.
  if (ssh2.utils.parseKey(keys.private, passphrase) instanceof Error) return keyPair(passphrase);
  const [, blob = ''] = keys.public.split(' ');
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
  return { ...keys, fingerprint: `SHA256:${digest.replaceAll('=', '')}` };
}
