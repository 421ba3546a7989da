import { OutboundError } from '../../workers/outbound/outbound-error.js';
import { checkProxy } from '../../workers/outbound/proxy-agent.js';
import { SmtpClient } from '../../workers/outbound/smtp-client.js';
import { attempt, type Finding, failure, ok } from './finding.js';
import type { DoctorSettings } from './settings.js';

/** Checks the mail server and the proxy of destinations, if there are any. */
export function checkOutbound({ smtp, outboundProxy }: DoctorSettings): Promise<Finding[]> {
  return Promise.all([
    ...(smtp
      ? [attempt('mail-server', () => findMailServer(smtp), explain('mail-server', MAIL_ADVICE))]
      : []),
    ...(outboundProxy
      ? [attempt('proxy', () => findProxy(outboundProxy), explain('proxy', PROXY_ADVICE))]
      : []),
  ]);
}

async function findMailServer({ server, from }: NonNullable<DoctorSettings['smtp']>): Promise<Finding> {
  await new SmtpClient(server, from).check();
  const { host, port, login } = server;
  return ok('mail-server', `${host}:${port} accepts ${login ? 'the login' : 'connections'}`);
}

async function findProxy(proxy: URL): Promise<Finding> {
  await checkProxy(proxy);
  return ok('proxy', `${proxy.host} accepts requests`);
}

const MAIL_ADVICE =
  'Correct SMTP_URL, or check the mail server and the network to it. Mails to destinations wait for up to a day.';
const PROXY_ADVICE =
  'Correct OUTBOUND_PROXY, or check the proxy, its rules and the network to it. Messages to destinations wait for up to a day.';

const explain =
  (check: string, advice: string) =>
  (error: unknown): Finding => {
    if (!(error instanceof OutboundError)) throw error;
    return failure(check, error.message.replace(/\.$/, ''), advice);
  };
