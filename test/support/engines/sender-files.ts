import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a plug-in could print, or an attacker write to a log. Run by a shell, it makes the file `run`. */
export const hostile = (folder: string): string =>
  `bad "double" 'single' & <b> 100% %s $(touch ${folder}/run) \`touch ${folder}/run\` $HOME`;

/** The files that docs/sending.md names, in a new folder in place of `/usr/local/bin` and `/etc`. */
export function senderFiles(template: string, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-sender-'));
  const inFolder = (text: string) =>
    text.replaceAll('/usr/local/bin/', `${folder}/bin/`).replaceAll('/etc/', `${folder}/etc/`);
  const write = (path: string, text: string, mode = 0o644): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  };
  const docs = readFileSync('docs/sending.md', 'utf8');
  for (const [, path = '', text = ''] of docs.matchAll(
    /^(?:In )?`(\/[^`]+)`[^\n]*:\n\n```\w*\n(.*?)^```/gms,
  )) {
    write(inFolder(path).slice(folder.length + 1), inFolder(text), path.includes('/bin/') ? 0o755 : 0o644);
  }
  for (const name of [template, 'icinga']) write(`etc/muster/${name}`, `url = "${url}"\n`, 0o600);
  return {
    folder,
    write,
    /** A plug-in that prints a file, and exits with what another file says. */
    probe: write('probe', `#!/bin/sh\ncat ${folder}/output\nexit $(cat ${folder}/exit)\n`, 0o755),
    report: (exit: number, output: string) => {
      write('exit', String(exit));
      write('output', `${output}\n`);
    },
    path: (...names: string[]) => join(folder, ...names),
  };
}

export type SenderFiles = ReturnType<typeof senderFiles>;
