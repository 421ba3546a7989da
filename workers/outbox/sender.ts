import type { Logger } from 'pino';
import { recipientsIn } from '../outbound/mail-address.js';
import type { OutboundClient } from '../outbound/outbound-client.js';
import { OutboundError } from '../outbound/outbound-error.js';
import type { SmtpClient } from '../outbound/smtp-client.js';
import type { MailBody } from './presets/email.js';
import type { Send } from './send.js';

const WARN_EVERY_MS = 60_000;

/**
 * Returns how requests of messages are sent: mails by the mail server of the operator, all others as POST requests. Logs once a minute that the mail server
 * or the proxy does not take them: no destination shows it as a failure of its own.
 */
export function senderOf(
  https: Pick<OutboundClient, 'post'>,
  smtp: Pick<SmtpClient, 'send'> | null,
  log: Pick<Logger, 'warn'>,
): Send {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return async ({ id, url, headers, body, stopped }) => {
    const recipients = recipientsIn(url);
    try {
      if (recipients) {
        const mail: MailBody = JSON.parse(body.toString());
        return await requireServer(smtp).send(recipients, { id, ...mail }, stopped);
      }
      const response = await https.post(url, { headers, body, stopped });
      return { ...response, body: response.body.toString() };
    } catch (error) {
      if (error instanceof OutboundError && error.isOurs && performance.now() - warnedAt > WARN_EVERY_MS) {
        warnedAt = performance.now();
        log.warn({ error: error.message }, 'messages wait for the mail server or the proxy');
      }
      throw error;
    }
  };
}

function requireServer<Server>(smtp: Server | null): Server {
  if (smtp) return smtp;
  throw new OutboundError('smtp', 'There is no mail server: SMTP_URL is not set.', { isOurs: true });
}
