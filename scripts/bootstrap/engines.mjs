import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './packages.mjs';
import { unpackStep } from './unpack.mjs';

/** The engines that `npm run test:engines` tests with, besides MariaDB and Redis. It runs without those that cannot be had. */
export const engineSteps = [
  ...[
    galeraStep,
    mysqlStep,
    proxiesStep,
    prometheusStep,
    backupStep,
    s3Step,
    mailStep,
    tinyproxyStep,
    generatorsStep,
  ],
  ...sendersOf({
    nagios: ['nagios4-core'],
    icinga: [
      ...['icinga2-bin', 'libboost-context1.74.0', 'libboost-coroutine1.74.0'],
      ...['libboost-filesystem1.74.0', 'libboost-iostreams1.74.0', 'libboost-program-options1.74.0'],
      ...['libboost-regex1.74.0', 'libboost-thread1.74.0', 'libedit2'],
    ],
    alertmanager: ['prometheus-alertmanager'],
    vmalert: ['victoria-metrics'],
    zabbix: ['zabbix-server-mysql'],
    monit: ['monit'],
    fail2ban: ['fail2ban'],
    smartd: ['smartmontools', 'libcap-ng0'],
    netdata: ['netdata-core', 'netdata-plugins-bash'],
    apprise: [
      ...['apprise', 'python3-certifi', 'python3-chardet', 'python3-charset-normalizer', 'python3-click'],
      ...['python3-idna', 'python3-markdown', 'python3-oauthlib', 'python3-requests'],
      ...['python3-requests-oauthlib', 'python3-urllib3', 'python3-yaml'],
    ],
  }),
];

/** Programs that send alerts, see docs/sending.md and docs/drop-in.md. Those of Python run with the python3 of this system. */
function sendersOf(packages) {
  return Object.entries(packages).map(([name, names]) => (root) => {
    const without = `The test of alerts from ${name} is skipped.`;
    return unpackStep(root, { name, label: `Unpacking ${name}, for the tests`, packages: names, without });
  });
}

/** The SSH server of OpenSSH, for the tests of feeds. Installed, it would be a service of this system. */
export function sshdStep(root) {
  const step = unpackStep(root, {
    name: 'sshd',
    label: 'Unpacking the server of OpenSSH, for the tests',
    packages: ['openssh-server', 'libwrap0'],
    without: 'The tests of feeds from an SFTP server of OpenSSH are skipped.',
  });
  return { ...step, isDone: () => existsSync('/usr/sbin/sshd') || step.isDone() };
}

/** What this system's MariaDB needs to be a node of a Galera Cluster: the library, and the scripts that copy a node. */
function galeraStep(root) {
  return unpackStep(root, {
    name: 'galera',
    label: 'Unpacking Galera, for the tests',
    packages: ['galera-4', 'mariadb-server', 'rsync', 'libpopt0', 'libxxhash0'],
    without: 'The tests of Galera are skipped.',
  });
}

/** Only the unstable release of Debian has MySQL. */
function mysqlStep(root) {
  return unpackStep(root, {
    name: 'mysql',
    label: 'Unpacking MySQL, for the tests',
    packages: ['mysql-server-core'],
    programs: { 'usr/sbin/mysqld': ['--basedir={}/usr'] },
    release: 'unstable',
    without: 'The tests of MySQL are skipped.',
  });
}

/** What can stand in front of the API, see `deploy`. The last three are libraries of HAProxy. */
function proxiesStep(root) {
  return unpackStep(root, {
    name: 'proxies',
    label: 'Unpacking nginx, Caddy and HAProxy, for the tests',
    packages: ['nginx', 'caddy', 'haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
    without: 'The tests of the proxies are skipped.',
  });
}

/** Also for promtool, which checks and tests alert rules. */
function prometheusStep(root) {
  return unpackStep(root, {
    name: 'prometheus',
    label: 'Unpacking Prometheus, for the tests',
    packages: ['prometheus'],
    without: 'The tests of the alert rules are skipped.',
  });
}

/** For mariadb-dump. */
function backupStep(root) {
  return unpackStep(root, {
    name: 'backup',
    label: 'Unpacking the clients of MariaDB, for the tests',
    packages: ['mariadb-client', 'mariadb-client-core'],
    without: 'The test of backup and restore is skipped.',
  });
}

/** moto, as a server of S3. Flask is what its server runs on. */
function s3Step(root) {
  return unpackStep(root, {
    name: 's3',
    label: 'Unpacking moto, for the tests',
    packages: ['python3-moto', 'python3-flask', 'python3-flask-cors'],
    programs: { 'usr/bin/python3': [] },
    release: 'unstable',
    without: 'The tests of a foreign S3 server are skipped.',
  });
}

/** aiosmtpd, as a mail server. It runs with the python3 of this system. */
function mailStep(root) {
  return unpackStep(root, {
    name: 'mail',
    label: 'Unpacking aiosmtpd, for the tests',
    packages: [
      'python3-aiosmtpd',
      'python3-public',
      'python3-attr',
      'python3-typing-extensions',
      'python3-pkg-resources',
    ],
    without: 'The tests of a foreign mail server are skipped.',
  });
}

/** As a proxy for deliveries. */
function tinyproxyStep(root) {
  return unpackStep(root, {
    name: 'tinyproxy',
    label: 'Unpacking tinyproxy, for the tests',
    packages: ['tinyproxy-bin'],
    without: 'The tests of a proxy for deliveries are skipped.',
  });
}

/** Generators of clients of the API, from npm. They bring older versions of TypeScript. */
function generatorsStep(root) {
  const [source, folder] = [join(root, 'test/generators'), join(root, '.engines/generators')];
  const lock = (path) => {
    const file = join(path, 'package-lock.json');
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  return {
    label: 'Installing generators of clients, for the tests',
    without: 'The tests of generated clients are skipped.',
    isDone: () => lock(folder) === lock(source),
    run: async () => {
      const fresh = `${folder}.new`;
      rmSync(fresh, { recursive: true, force: true });
      mkdirSync(fresh, { recursive: true });
      cpSync(source, fresh, { recursive: true });
      await installPackages(fresh);
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
    },
  };
}
