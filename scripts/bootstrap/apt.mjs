import { capture, failed, run } from './run.mjs';

/** The Debian packages of each program, without anything else and without a system service. */
export const aptPackages = {
  database: ['mariadb-server-core', 'mariadb-client-core'],
  redis: ['redis-tools'],
  // A page takes about 30% less CPU time than in the package chromium, and the download is half as large.
  chromium: ['chromium-headless-shell'],
  faketime: ['libfaketime'],
};

/** Packages to install where the first one does not exist. */
const replacements = { 'chromium-headless-shell': 'chromium' };

/** Another apt may be running on a new machine. */
const waitForLock = ['-o', 'DPkg::Lock::Timeout=120'];

/** Returns whether apt-get exists and can run without a password. */
export async function mayInstall() {
  if (process.platform !== 'linux') return false;
  const { code } = await capture([...privileged(), 'apt-get', '--version']);
  return code === 0;
}

/**
 * Installs the packages of the missing programs; refreshes apt's lists first if that fails without.
 * @param {string[]} missing
 * @throws SetupError
 */
export async function installWithApt(missing) {
  if ((await aptInstall(missing)).code === 0) return;
  await run(apt('update'), { failure: 'apt-get update failed: see above.' });
  const { code, output } = await aptInstall(missing);
  const names = packageNames(missing).join(' ');
  if (code !== 0) throw failed(output, `apt-get could not install ${names}: see above.`);
}

async function aptInstall(missing) {
  const names = await Promise.all(packageNames(missing).map(nameHere));
  return capture(apt('install', '-y', '--no-install-recommends', ...names));
}

function packageNames(missing) {
  return missing.flatMap((name) => aptPackages[name]);
}

/** Returns the name of a package, or of its replacement, here. Older releases have the version in it: mariadb-server-core-10.6. */
async function nameHere(name) {
  const { output } = await capture(['apt-cache', 'pkgnames', name]);
  const names = output
    .split('\n')
    .filter((line) => line === name || /^-\d+\.\d+$/.test(line.slice(name.length)));
  if (names.includes(name)) return name;
  return names.sort().at(-1) ?? replacements[name] ?? name;
}

function apt(...words) {
  const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  return [...privileged(), ...quietly, 'apt-get', '-q', ...waitForLock, ...words];
}

function privileged() {
  return process.getuid?.() === 0 ? [] : ['sudo', '-n'];
}
