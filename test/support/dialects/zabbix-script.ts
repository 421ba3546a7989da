import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What Zabbix creates its database with, as Debian packages it. The scripts of its media types are in it. */
const DATA = 'usr/share/zabbix-server-mysql/data.sql.gz';

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the script of a media type. @param root where the package is */
export function zabbixScript(root: string, name: string): string {
  const rows = gunzipSync(readFileSync(join(root, DATA)))
    .toString()
    .split('\n');
  const row = rows.find((one) => one.startsWith('INSERT INTO `media_type` ') && one.includes(`'${name}'`));
  const values = [...(row ?? '').matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, value = '']) => value);
  const script = values.find((value) => value.length > 1_000);
  if (script === undefined) throw new Error(`${DATA} has no media type ${name}`);
  return script.replace(/\\(.)/gs, (_, char: string) => ESCAPED[char] ?? char);
}

/** What Zabbix gives its scripts. They wait for each response. */
const ENVIRONMENT = `
  const { spawnSync } = require('node:child_process');
  class HttpRequest {
    headers = [];
    status = 0;
    addHeader(header) { this.headers.push(header); }
    setProxy() {}
    getStatus() { return this.status; }
    get(url, data) { return this.send('GET', url, data); }
    post(url, data) { return this.send('POST', url, data); }
    put(url, data) { return this.send('PUT', url, data); }
    send(method, url, data) {
      const headers = this.headers.flatMap((header) => ['-H', header]);
      const body = data === undefined ? [] : ['--data-binary', data];
      const { stdout } = spawnSync('curl', ['-s', '-X', method, '-w', '\\n%{http_code}', ...headers, ...body, url]);
      const text = stdout.toString();
      const end = text.lastIndexOf('\\n');
      this.status = Number(text.slice(end + 1));
      if (this.status === 0) throw 'cannot get URL';
      return text.slice(0, end);
    }
  }
  const Zabbix = { log() {}, Log() {} };
  const [script, value] = process.argv.slice(1);
  try {
    process.stdout.write(new Function('value', 'HttpRequest', 'CurlHttpRequest', 'Zabbix', script)(value, HttpRequest, HttpRequest, Zabbix));
  } catch (error) {
    process.stdout.write(String(error));
    process.exitCode = 1;
  }
`;

/** Runs a script as Zabbix does. Resolves to what it returns, or throws: a text. */
export const runZabbixScript = (
  script: string,
  params: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<{ failed: boolean; text: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '', ...more };
    execFile(process.execPath, ['-e', ENVIRONMENT, script, JSON.stringify(params)], { env }, (error, text) =>
      resolve({ failed: error !== null, text }),
    );
  });
