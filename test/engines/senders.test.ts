import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { describeEngine, type Sender, unpackedEngine } from '../support/engines/describe-engine.js';
import { hostile, type SenderFiles, senderFiles } from '../support/engines/sender-files.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const USER = userInfo().username;
const PYTHON = '/usr/bin/python3';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

let running: ChildProcess | null = null;
const folders: string[] = [];
afterEach(() => {
  if (running?.pid) process.kill(-running.pid, 'SIGKILL');
  running = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Starts a program with its children in a group of its own. */
function start(program: string, args: string[], env: Record<string, string> = {}): void {
  running = spawn(program, args, { detached: true, stdio: 'ignore', env: { ...process.env, ...env } });
}

/** Creates an integration, and the documented files with its URL. */
async function setUp(template: string): Promise<SenderFiles & { alert: () => Promise<Alert | undefined> }> {
  const { id, path } = await makeWebhook(client, { template });
  const alert = async () => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data[0];
  const files = senderFiles(template, stack.url + path);
  folders.push(files.folder);
  return { ...files, alert };
}

interface Alert {
  title: string;
  description: string;
  status: string;
  eventCount: number;
}

const fired = (alert: () => Promise<Alert | undefined>, times: number) =>
  until(`the alert fired ${times} times`, async () => ((await alert())?.eventCount ?? 0) >= times);

const resolved = (alert: () => Promise<Alert | undefined>) =>
  until('the alert is resolved', async () => (await alert())?.status === 'resolved');

const promise = (name: Sender, label: string, works: (folder: string) => Promise<void>) => {
  const folder = unpackedEngine(name);
  describeEngine(label, folder ? null : `${label} could not be downloaded`, () => {
    test('the documented configuration opens, repeats and resolves an alert, and runs no text', () =>
      works(folder as string));
  });
};

/** The plug-in fails until the alert was repeated, and succeeds then. */
async function failAndRecover(
  { folder, report, alert }: Awaited<ReturnType<typeof setUp>>,
  run: () => void,
): Promise<void> {
  report(2, hostile(folder));
  run();
  await fired(alert, 2);
  expect((await alert())?.description).toContain(hostile(folder));
  report(0, 'fine again');
  await resolved(alert);
  expect(existsSync(join(folder, 'run'))).toBe(false);
}

promise('nagios', 'Nagios', async (program) => {
  const files = await setUp('nagios');
  const { folder, write, probe } = files;
  mkdirSync(join(folder, 'results'));
  const days = ['sun', 'mon', 'tues', 'wednes', 'thurs', 'fri', 'satur'];
  const check = 'max_check_attempts 1\n check_period 24x7\n contacts muster\n notification_interval 1\n';
  const objects = write(
    'objects.cfg',
    `define timeperiod {\n timeperiod_name 24x7\n alias always\n${days.map((day) => ` ${day}day 00:00-24:00\n`).join('')}}
define command {\n command_name probe\n command_line ${probe}\n}
define host {\n host_name app-1\n address 192.0.2.1\n ${check} notification_period 24x7\n}
define service {\n host_name app-1\n service_description Disk\n check_command probe\n check_interval 1\n retry_interval 1\n ${check} notification_period 24x7\n}\n`,
  );
  const paths = {
    ...{ log_file: 'log', object_cache_file: 'cache', precached_object_file: 'precached' },
    ...{ status_file: 'status', lock_file: 'lock', temp_file: 'temp', temp_path: '.' },
    ...{ check_result_path: 'results', state_retention_file: 'retention', command_file: 'commands' },
    query_socket: 'socket',
  };
  const settings = [
    ...Object.entries(paths).map(([name, path]) => `${name}=${join(folder, path)}`),
    ...[`cfg_file=${objects}`, `cfg_file=${folder}/etc/nagios4/conf.d/muster.cfg`],
    ...[`nagios_user=${USER}`, `nagios_group=${USER}`, 'interval_length=1', 'check_for_updates=0'],
    'enable_environment_macros=1',
  ];
  const main = write('nagios.cfg', `${settings.join('\n')}\n`);
  await failAndRecover(files, () => start(join(program, 'usr/sbin/nagios4'), [main]));
  expect((await files.alert())?.title).toBe('Disk on app-1');
});

promise('icinga', 'Icinga 2', async (program) => {
  const files = await setUp('nagios');
  const { folder, write, probe } = files;
  const check =
    'check_command = "probe"\n check_interval = 1\n retry_interval = 1\n max_check_attempts = 1\n';
  const main = write(
    'icinga2.conf',
    `include "${folder}/etc/icinga2/conf.d/muster.conf"
const NodeName = "t"
object CheckerComponent "checker" { }
object NotificationComponent "notification" { }
object CheckCommand "probe" { command = [ "${probe}" ] }
object CheckCommand "up" { command = [ "/bin/true" ] }
object Host "app-1" {\n address = "192.0.2.1"\n check_command = "up"\n}
object Service "Disk" {\n host_name = "app-1"\n ${check}}
apply Notification "again" to Service {\n command = "muster-service"\n users = [ "muster" ]\n interval = 1s\n assign where true\n}\n`,
  );
  const library = readdirSync(join(program, 'usr/lib')).find((name) => name.includes('-linux-gnu'));
  const libraries = join(program, 'usr/lib', library as string);
  const folders = ['DataDir', 'CacheDir', 'InitRunDir', 'LogDir', 'SpoolDir'].flatMap((name) => {
    mkdirSync(join(folder, name));
    return ['-D', `${name}=${join(folder, name)}`];
  });
  const user = ['-D', `RunAsUser=${USER}`, '-D', `RunAsGroup=${USER}`];
  const args = ['daemon', '-c', main, ...folders, ...user, '-D', `PidPath=${folder}/pid`];
  await failAndRecover(files, () =>
    start(join(libraries, 'icinga2/sbin/icinga2'), args, { LD_LIBRARY_PATH: libraries }),
  );
  expect((await files.alert())?.title).toBe('Disk on app-1');
});

promise('monit', 'Monit', async (program) => {
  const files = await setUp('monit');
  const { folder, write, probe } = files;
  const command = `exec "${folder}/bin/muster-monit status"`;
  const main = write(
    'monitrc',
    `set daemon 1\nset pidfile ${folder}/pid\nset idfile ${folder}/id\nset statefile ${folder}/state
check program shop with path "${probe}"
  if status != 0 then ${command} repeat every 1 cycles else if succeeded then ${command}\n`,
    0o600,
  );
  await failAndRecover(files, () => start(join(program, 'usr/bin/monit'), ['-I', '-c', main]));
});

promise('fail2ban', 'Fail2ban', async (program) => {
  const { folder, write, path, alert } = await setUp('fail2ban');
  const log = write('demo.log', '');
  copyFileSync(join(program, 'etc/fail2ban/fail2ban.conf'), path('etc/fail2ban/fail2ban.conf'));
  write('etc/fail2ban/filter.d/demo.conf', '[Definition]\nfailregex = ^.*login failed from <HOST>.*$\n');
  write(
    'etc/fail2ban/jail.conf',
    `[demo]\nenabled = true\nfilter = demo\nlogpath = ${log}\nbackend = polling\nmaxretry = 2\nbantime = 3
action = muster[name=%(__name__)s]\n`,
  );
  const server = join(program, 'usr/bin/fail2ban-server');
  const places = ['-c', path('etc/fail2ban'), '-s', path('sock'), '-p', path('pid')];
  const args = [server, '-f', ...places, '--logtarget', path('log'), 'start'];
  start(PYTHON, args, { PYTHONPATH: join(program, 'usr/lib/python3/dist-packages') });
  await until('the jail is started', async () =>
    existsSync(path('log')) ? readFileSync(path('log'), 'utf8').includes("Jail 'demo' started") : false,
  );
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000);
  const line = `${now.toISOString().slice(0, 19)} login failed from 198.51.100.7 ${hostile(folder)}\n`;
  appendFileSync(log, line + line);
  await fired(alert, 1);
  expect((await alert())?.description).toContain(hostile(folder));
  await resolved(alert);
  expect(existsSync(path('run'))).toBe(false);
});

promise('smartd', 'smartd', async (program) => {
  const { folder, path, alert } = await setUp('smartd');
  const smartd = promisify(execFile)(join(program, 'usr/sbin/smartd'), [
    ...['-c', path('etc/smartd.conf'), '-q', 'onecheck'],
  ]);
  const { stdout } = await smartd.catch((error) => error);
  expect(stdout).toContain('was parsed, found DEVICESCAN');
  const env = {
    ...process.env,
    ...{ SMARTD_MAILER: path('bin/muster-smartd'), SMARTD_FAILTYPE: 'Health', SMARTD_PREVCNT: '0' },
    ...{ SMARTD_MESSAGE: hostile(folder), SMARTD_DEVICE: '/dev/sda', SMARTD_DEVICESTRING: '/dev/sda' },
    ...{ SMARTD_DEVICETYPE: 'sat', SMARTD_DEVICEINFO: 'EXAMPLE, S/N:A1, FW:1', SMARTD_ADDRESS: '' },
  };
  const warn = () =>
    promisify(execFile)('sh', [join(program, 'usr/share/smartmontools/smartd_warning.sh')], { env });
  await warn();
  await warn();
  await fired(alert, 2);
  expect((await alert())?.description).toContain(hostile(folder));
  await promisify(execFile)(path('bin/muster-smartd'), ['resolved'], { env });
  await resolved(alert);
  expect(existsSync(path('run'))).toBe(false);
});

promise('netdata', 'Netdata', async (program) => {
  const { folder, write, path, alert } = await setUp('netdata');
  const netdata = join(program, 'usr/lib/netdata');
  const stock = readFileSync(join(netdata, 'conf.d/health_alarm_notify.conf'), 'utf8');
  const own = readFileSync(path('etc/netdata/health_alarm_notify.conf'), 'utf8');
  write('etc/netdata/health_alarm_notify.conf', stock + own);
  const env = { ...process.env, NETDATA_USER_CONFIG_DIR: path('etc/netdata'), NETDATA_CACHE_DIR: folder };
  const notify = (when: number, status: string, before: string) =>
    promisify(execFile)(
      join(netdata, 'plugins.d/alarm-notify.sh'),
      [
        ...['sysadmin', 'cache-1', '1', '2', '3', String(when), 'ram_in_use', 'system.ram', 'ram'],
        ...[status, before, '99', '1', 'src', '1', '1', '%', hostile(folder), '99%', '1%'],
        ...['calc', 'params', '0', '1', '', '', 'Utilization', 'edit', ''],
      ],
      { env: { ...env, NETDATA_STOCK_CONFIG_DIR: join(netdata, 'conf.d') } },
    );
  await notify(1770113000, 'WARNING', 'CLEAR');
  await notify(1770113060, 'CRITICAL', 'WARNING');
  await fired(alert, 2);
  expect((await alert())?.description).toBe(`${hostile(folder)}: 99%`);
  await notify(1770113600, 'CLEAR', 'CRITICAL');
  await resolved(alert);
  expect(existsSync(path('run'))).toBe(false);
});

promise('apprise', 'Apprise', async (program) => {
  const { path, alert, folder } = await setUp('apprise');
  const url = readFileSync(path('etc/muster/apprise'), 'utf8').split('"')[1] as string;
  const env = { ...process.env, PYTHONPATH: join(program, 'usr/lib/python3/dist-packages') };
  const notify = (type: string, body: string) => {
    const to = `${url.replace('http://', 'json://')}?:key=backup`;
    const args = [join(program, 'usr/bin/apprise'), '-n', type, '-t', 'Backup failed', '-b', body, to];
    return promisify(execFile)(PYTHON, args, { env });
  };
  await notify('failure', `${hostile(folder)}\nline 2`);
  await notify('failure', `${hostile(folder)}\nline 2`);
  await fired(alert, 2);
  expect((await alert())?.description).toBe(`${hostile(folder)}\nline 2`);
  await notify('success', 'fine again');
  await resolved(alert);
});

describeEngine('cron', null, () => {
  test('the shell for crontabs opens an alert for a job that fails, and resolves it', async () => {
    const { folder, path, report, probe, alert } = await setUp('cron');
    const run = () => promisify(execFile)(path('bin/muster-cron'), ['-c', probe]).catch((error) => error);
    report(7, hostile(folder));
    expect((await run()).code).toBe(7);
    expect((await run()).stdout).toBe(`${hostile(folder)}\n`);
    await fired(alert, 2);
    expect((await alert())?.description).toBe(hostile(folder));
    report(0, 'fine again');
    await run();
    await resolved(alert);
    expect(existsSync(path('run'))).toBe(false);
  });
});
