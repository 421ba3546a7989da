import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../../scripts/processes/guarded.js';
import { unpackedEngine } from '../engines/describe-engine.js';
import { until } from '../until.js';

/** Returns why this machine cannot run the S3 server of moto; null if it can. */
export const whyNoMoto = (): string | null => (unpackedEngine('s3') ? null : 'moto could not be downloaded');

export type Moto = Awaited<ReturnType<typeof startMoto>>;

/** A user of the server, and what it may do. */
interface Account {
  bucket: string;
  /** Statements as in a policy of Amazon. */
  policy: readonly { Action: string[]; Resource: string }[];
}

/** These requests create the bucket and the account. The server checks the signature and the rights of all later ones. */
const UNCHECKED = 4;
/** Tells the server for which service a request is. */
const UNSIGNED =
  'AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0';

/** Starts moto, which holds files in memory, with one bucket and one account, and puts its access key where the SDK looks for it. */
export async function startMoto({ bucket, policy }: Account) {
  const dir = mkdtempSync(join(tmpdir(), 'muster-moto-'));
  const port = await freePort();
  const server = `http://127.0.0.1:${port}`;
  const folder = unpackedEngine('s3') as string;
  const environment = [`PYTHONHOME=${folder}/usr`, `INITIAL_NO_AUTH_ACTION_COUNT=${UNCHECKED}`];
  const command = [`${folder}/bin/python3`, '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const logFile = join(dir, 'log');
  const running = spawnGuarded(['/usr/bin/env', ...environment, ...command], {
    logFile,
    pidFile: join(dir, 'pid'),
  });
  const responds = () =>
    fetch(`${server}/moto-api/`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`moto responds, see ${logFile}`, responds, 60_000);
  const manage = async (parameters: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams({ ...parameters, UserName: 'muster', Version: '2010-05-08' });
    const response = await fetch(server, { method: 'POST', headers: { authorization: UNSIGNED }, body });
    return response.text();
  };
  await fetch(`${server}/${bucket}`, { method: 'PUT' });
  await manage({ Action: 'CreateUser' });
  const Statement = policy.map((statement) => ({ Effect: 'Allow', ...statement }));
  const document = JSON.stringify({ Version: '2012-10-17', Statement });
  await manage({ Action: 'PutUserPolicy', PolicyName: 'files', PolicyDocument: document });
  const key = await manage({ Action: 'CreateAccessKey' });
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  process.env.AWS_ACCESS_KEY_ID = textOf(key, 'AccessKeyId');
  process.env.AWS_SECRET_ACCESS_KEY = textOf(key, 'SecretAccessKey');
  return {
    /** Returns a storage URL: a prefix in the bucket. */
    url: (prefix: string) => `s3://${bucket}/${prefix}?endpoint=${server}`,
    /** Freezes the server, or ends that. */
    freeze: (frozen: boolean) => process.kill(running.pid, frozen ? 'SIGSTOP' : 'SIGCONT'),
    stop: async () => {
      process.kill(running.pid, 'SIGCONT');
      await running.stop(5_000);
      rmSync(dir, { recursive: true });
    },
  };
}

/** Returns the text of an element of an XML document. */
function textOf(xml: string, element: string): string {
  const [, after] = xml.split(`<${element}>`);
  if (after === undefined) throw new Error(`no ${element} in ${xml}`);
  return after.slice(0, after.indexOf('<'));
}
