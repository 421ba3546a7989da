import { integrationsOf } from '../../../db/series/told-alerts.js';
import { domainOf, recipientsIn } from '../../../workers/outbound/mail-address.js';
import { INTERNET } from '../../../workers/outbound/network.js';
import { checkTarget } from '../../../workers/outbound/target.js';
import type { CustomHeaders } from '../../../workers/outbox/custom-headers.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest, type RequestError } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';

/** Returns why Muster would not send to an address: a URL, or recipients, if it sends no mails. */
export async function targetFaults(
  { settings }: ApiServices,
  address: string | undefined,
): Promise<RequestError[]> {
  if (address === undefined) return [];
  if (recipientsIn(address)) {
    if (settings.smtp) return [];
    const message = 'Muster has no mail server: the operator must set `SMTP_URL` and `SMTP_FROM`.';
    return [
      badRequest('no_mail_server', message, [{ field: 'recipients', code: 'no_mail_server', message }]),
    ];
  }
  const reason = await checkTarget(address, settings.outboundAllow, INTERNET, settings.outboundProxy);
  if (reason === null) return [];
  return [badRequest('invalid_url', reason, [{ field: 'url', code: 'invalid_url', message: reason }])];
}

/** Returns which integrations there have never been: alerts of deleted ones still end. */
export async function webhookFaults(
  { database }: ApiServices,
  ids: readonly string[] | null | undefined,
): Promise<RequestError[]> {
  if (!ids) return [];
  const known = await integrationsOf(database, ids);
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : { field: `webhookIds.${index}`, code: 'unknown_webhook', message: 'no integration has this id' },
  );
  if (errors.length === 0) return [];
  return [badRequest('invalid_body', summary(BODY, errors), errors)];
}

export const sealedAddress = ({ intake }: ApiServices, id: string, address: string) => ({
  url: intake.box.seal(address, id),
  host: hostOf(address),
});

const MAX_HOST = 300;

/** Returns what is shown of an address: the host of a URL, or the domains of recipients. */
function hostOf(address: string): string {
  const recipients = recipientsIn(address);
  return recipients
    ? [...new Set(recipients.map(domainOf))].join(', ').slice(0, MAX_HOST)
    : new URL(address).host;
}

export const sealedHeaders = ({ intake }: ApiServices, id: string, headers: CustomHeaders): Buffer | null =>
  Object.keys(headers).length === 0 ? null : intake.box.seal(JSON.stringify(headers), id);
