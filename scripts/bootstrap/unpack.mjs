import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, failed, run } from './run.mjs';

/**
 * Returns a step that unpacks programs of Debian into `.engines/NAME`, for the tests only. Nothing is installed, so it needs
 * no password and changes nothing outside of this folder.
 * @param {string} root the project's folder
 * @param {{
 *   name: string,
 *   label: string,
 *   packages: string[],
 *   programs?: Record<string, string[]>,
 *   release?: string,
 *   without: string,
 * }} what `programs` are paths in the packages, each with the options that it always gets (`{}` is the folder). With `release`,
 *   the packages come from that release of Debian with all that they depend on, down to the C library, and `bin/` has a script
 *   that runs each program with these libraries; otherwise the packages alone come from the release of this system
 */
export function unpackStep(root, { name, label, packages, programs = {}, release, without }) {
  const folder = join(root, '.engines', name);
  return {
    label,
    without,
    isDone: () => existsSync(folder),
    run: async () => {
      const fresh = `${folder}.new`;
      rmSync(fresh, { recursive: true, force: true });
      mkdirSync(join(fresh, 'archives/partial'), { recursive: true });
      const archives = release
        ? await downloadWithLibraries(fresh, packages, release)
        : await download(fresh, packages);
      for (const archive of archives) {
        await run(['dpkg', '-x', archive, fresh], {
          failure: `${archive} could not be unpacked: see above.`,
        });
      }
      rmSync(join(fresh, 'archives'), { recursive: true });
      if (release) writeLaunchers(fresh, folder, programs);
      renameSync(fresh, folder);
    },
  };
}

const quietly = ['-q', '-y', '-o', 'APT::Sandbox::User=root'];

/** Downloads packages of this system's release. */
async function download(folder, packages) {
  const archives = join(folder, 'archives');
  await run(['apt-get', ...quietly, 'download', ...packages], {
    cwd: archives,
    failure: `apt-get could not download ${packages.join(' ')}: see above.`,
  });
  return archivesIn(archives);
}

/** Downloads packages with all that they need, as if nothing was installed. apt uses a state of its own. */
async function downloadWithLibraries(folder, packages, release) {
  const archives = join(folder, 'archives');
  const state = join(archives, 'state');
  mkdirSync(join(state, 'lists/partial'), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  writeFileSync(join(state, 'sources.list'), await sourceOf(release));
  const settings = {
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::Etc::sourcelist': join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Cache::archives': archives,
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Languages': 'none',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const apt = ['apt-get', ...quietly, ...options];
  const failure = `apt-get could not download ${packages.join(' ')} of Debian ${release}: see above.`;
  await run([...apt, 'update'], { failure });
  await run([...apt, '--download-only', '--no-install-recommends', 'install', ...packages], { failure });
  return archivesIn(archives);
}

/** Returns a line for apt with another release of Debian, from the mirror that this system uses. */
async function sourceOf(release) {
  const which = ['Origin: Debian', 'Label: Debian', 'Created-By: Packages'];
  const { output } = await capture(['apt-get', 'indextargets', '--format', '$(REPO_URI)', ...which]);
  const mirror = output.split('\n').find((line) => /^https?:/.test(line));
  if (!mirror) throw failed(output, 'apt knows no mirror of Debian. Run apt-get update, then try again.');
  return `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`;
}

const archivesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(folder, name));

/** Each script starts a program through the dynamic linker of its own release. */
function writeLaunchers(fresh, folder, programs) {
  const libraries = readdirSync(join(fresh, 'usr/lib')).find((name) => name.includes('-linux-gnu'));
  const found = join(fresh, 'usr/lib', libraries);
  const linker = readdirSync(found).find((name) => name.startsWith('ld-linux'));
  const path = join(folder, 'usr/lib', libraries);
  mkdirSync(join(fresh, 'bin'));
  for (const [program, options] of Object.entries(programs)) {
    const words = options.map((option) => ` ${option.replaceAll('{}', folder)}`).join('');
    const line = `exec '${path}/${linker}' --library-path '${path}' '${folder}/${program}' "$@"${words}`;
    writeFileSync(join(fresh, 'bin', program.split('/').at(-1)), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
}
