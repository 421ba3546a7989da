import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { freePort } from '../../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../../scripts/processes/guarded.js';
import { unpackedEngine } from '../engines/describe-engine.js';

/** Returns why this machine cannot run the proxies; null if it can. */
export const whyNoProxies = (): string | null =>
  unpackedEngine('proxies') ? null : 'nginx, Caddy and HAProxy could not be downloaded';

export type ProxyName = 'nginx' | 'Caddy' | 'HAProxy';
export type StartedProxy = Awaited<ReturnType<typeof startProxy>>;

/** Where a proxy of a test runs. */
interface Place {
  folder: string;
  port: number;
  /** The ports of the APIs. */
  apis: readonly number[];
}

/** Starts a proxy with its example in `deploy`. Only addresses, ports and the certificate are replaced. */
export async function startProxy(name: ProxyName, apis: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-proxy-'));
  const place = { folder, port: await freePort(), apis };
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  writeFileSync(join(folder, 'muster.crt'), cert);
  writeFileSync(join(folder, 'muster.key'), key);
  writeFileSync(join(folder, 'muster.pem'), `${cert}\n${key}`);
  const logFile = join(folder, 'log');
  const proxy = spawnGuarded(commands[name](place), { logFile, pidFile: join(folder, 'pid') });
  return {
    port: place.port,
    /** For clients, which trust no other one. */
    certificate: cert,
    log: () => readFileSync(logFile, 'utf8'),
    stop: async () => {
      await proxy.stop(5_000);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts HAProxy with the example in `deploy` for the nodes of a Galera Cluster, given as `host:port`. Only addresses and ports are replaced. */
export async function startGaleraProxy(nodes: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-proxy-'));
  const port = await freePort();
  const servers = nodes.map((node, index): [string, string[]] => [
    `server node-${index + 1} 10.0.0.${index + 1}:3306`,
    [`server node-${index + 1} ${node}`],
  ]);
  const example = replaced('deploy/haproxy/galera.cfg', [
    ['bind 127.0.0.1:3306', [`bind 127.0.0.1:${port}`]],
    ...servers,
  ]);
  const proxy = spawnGuarded(haproxy(folder, example), {
    logFile: join(folder, 'log'),
    pidFile: join(folder, 'pid'),
  });
  return {
    port,
    stop: async () => {
      await proxy.stop(5_000);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes the configuration of each proxy and returns its command. */
const commands: Record<ProxyName, (place: Place) => string[]> = {
  nginx: ({ folder, port, apis }) => {
    const example = replaced('deploy/nginx/muster.conf', [
      ['  server 127.0.0.1:3000 max_fails=1 fail_timeout=2s;', apis.map(nginxServer)],
      ['listen 80;', ['listen unix:http.sock;']],
      ['listen 443 ', [`listen 127.0.0.1:${port} `]],
      ['server_name muster.example.com;', ['server_name localhost;']],
      ['/etc/ssl/', [`${folder}/`]],
      ['/var/log/nginx/access.log', ['/dev/stderr']],
    ]);
    writeFileSync(join(folder, 'muster.conf'), example);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${of};`,
    );
    const main = `daemon off; pid nginx.pid; error_log stderr warn; ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {} http { ${temporary.join(' ')} include muster.conf; }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    return [programOf('usr/sbin/nginx'), '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  },
  Caddy: ({ folder, port, apis }) => {
    const example = replaced('deploy/caddy/Caddyfile', [
      [
        'muster.example.com {',
        [`https://localhost:${port} {`, `tls ${folder}/muster.crt ${folder}/muster.key`],
      ],
      ['\n{\n', ['\n{', 'admin off', 'auto_https off', '']],
      [' 127.0.0.1:3000 {', [` ${apis.map((api) => `127.0.0.1:${api}`).join(' ')} {`]],
    ]);
    writeFileSync(join(folder, 'Caddyfile'), example);
    const home = ['/usr/bin/env', `HOME=${folder}`, `XDG_DATA_HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`];
    return [...home, programOf('usr/bin/caddy'), 'run', '--config', `${folder}/Caddyfile`];
  },
  HAProxy: ({ folder, port, apis }) => {
    const servers = apis.map((api, index) => `  server api-${index} 127.0.0.1:${api}`);
    const example = replaced('deploy/haproxy/haproxy.cfg', [
      ['bind :443 ', [`bind 127.0.0.1:${port} `]],
      ['/etc/haproxy/', [`${folder}/`]],
      ['  server api-1 127.0.0.1:3000', servers],
    ]);
    return haproxy(folder, example);
  },
};

function haproxy(folder: string, configuration: string): string[] {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration);
  const libraries = programOf('usr/lib/x86_64-linux-gnu');
  const env = ['/usr/bin/env', `LD_LIBRARY_PATH=${libraries}`];
  return [...env, programOf('usr/sbin/haproxy'), '-db', '-f', file];
}

const nginxServer = (api: number): string => `  server 127.0.0.1:${api} max_fails=1 fail_timeout=2s;`;

const programOf = (path: string): string => join(unpackedEngine('proxies') as string, path);

/** Replaces what differs in a test. @throws Error if the example does not have it */
function replaced(file: string, changes: readonly (readonly [string, readonly string[]])[]): string {
  let text = readFileSync(file, 'utf8');
  for (const [given, lines] of changes) {
    if (!text.includes(given)) throw new Error(`${file} has no "${given}"`);
    text = text.replaceAll(given, lines.join('\n'));
  }
  return text;
}
