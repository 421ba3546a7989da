import { unpackStep } from './unpack.mjs';

/** The engines that `npm run test:engines` tests with, besides MariaDB and Redis. It runs without those that cannot be had. */
export const engineSteps = [galeraStep, mysqlStep, proxiesStep, prometheusStep, backupStep, s3Step];

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

/** For promtool, which checks and tests alert rules. */
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
