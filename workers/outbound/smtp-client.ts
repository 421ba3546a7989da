import type { Transporter } from 'nodemailer';
import { withDeadline } from './deadline.js';
import { domainOf, type Mailbox } from './mail-address.js';
import { OutboundError, type OutboundErrorCode, toOutboundError } from './outbound-error.js';
import type { SmtpServer } from './smtp-server.js';

/** A mail without sender and recipients. */
export interface Mail {
  /** The same at each attempt. */
  id: string;
  /** The same for all mails that belong together. */
  thread: string | null;
  /** The id of the mail that this one follows. */
  previousId: string | null;
  /** ISO 8601. */
  date: string;
  subject: string;
  text: string;
  html: string;
}

/** What the server responds to a mail. */
export interface SmtpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Its words, and those about each recipient that it rejects. */
  body: string;
}

const TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Sends mails by the operator's mail server, each on a connection of its own. The library is loaded with the first mail. */
export class SmtpClient {
  readonly #server: SmtpServer;
  readonly #from: Mailbox;
  readonly #ca: string | undefined;
  #transport: Promise<Transporter> | undefined;

  /** @param ca PEM of the certificate authorities to trust. Undefined: those of Node */
  constructor(server: SmtpServer, from: Mailbox, ca?: string) {
    this.#server = server;
    this.#from = from;
    this.#ca = ca;
  }

  /**
   * Sends a mail. It is delivered if the server takes it for one of its recipients.
   * @param stopped ends it, and is what it fails with then
   * @throws OutboundError if the server does not get as far as the recipients: that is for the operator to fix
   */
  async send(recipients: readonly string[], mail: Mail, stopped?: AbortSignal): Promise<SmtpResponse> {
    const { host } = this.#server;
    this.#transport ??= this.#open();
    const transport = await this.#transport;
    try {
      const sent = await withDeadline(
        TIMEOUT_MS,
        host,
        (signal) => transport.sendMail({ ...this.#headersOf(mail), to: [...recipients], signal }),
        stopped,
      );
      return responseOf([sent.response, ...(sent.rejectedErrors ?? []).map(textOf)]);
    } catch (error) {
      if (!(error instanceof Error) || error === stopped?.reason) throw error;
      const refused = refusal(error);
      if (refused) return refused;
      throw toServerError(host, error);
    }
  }

  /**
   * Connects and logs in, as before a mail, and sends none.
   * @throws OutboundError
   */
  async check(): Promise<void> {
    const { host } = this.#server;
    const transport = await this.#open();
    try {
      await withDeadline(TIMEOUT_MS, host, () => transport.verify());
    } catch (error) {
      throw error instanceof Error ? toServerError(host, error) : error;
    } finally {
      transport.close();
    }
  }

  async #open(): Promise<Transporter> {
    const { host, port, tls, login } = this.#server;
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure: tls === 'always',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'never',
      ...(login && { auth: { user: login.user, pass: login.password } }),
      tls: { ca: this.#ca },
      dnsTimeout: CONNECT_TIMEOUT_MS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      maxResponseSize: 16_384,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Everything follows from the mail, so that each attempt sends the same bytes. */
  #headersOf({ id, thread, previousId, date, subject, text, html }: Mail) {
    const domain = domainOf(this.#from.address);
    const idOf = (one: string) => `<${one}@${domain}>`;
    const references = [thread, previousId].filter((one) => one !== null).map(idOf);
    return {
      from: this.#from,
      subject,
      text,
      html,
      date: new Date(date),
      messageId: idOf(id),
      ...(references.length > 0 ? { references, inReplyTo: references.at(-1) } : {}),
      baseBoundary: id,
      textEncoding: 'quoted-printable' as const,
      // Nobody's absence is to be told to Muster.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    };
  }
}

/** An error of the library. */
interface SmtpError extends Error {
  code?: string;
  /** The code of the system, for a code of the library. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  recipient?: string;
  rejectedErrors?: readonly SmtpError[];
}

/** Returns the response to a mail whose recipients or text the server refuses; null for other errors. */
function refusal({ command = '', responseCode, response, rejectedErrors }: SmtpError): SmtpResponse | null {
  if (!responseCode || !response || !/^(?:RCPT TO|DATA)$/.test(command)) return null;
  return { ...responseOf(rejectedErrors?.map(textOf) ?? [response]), status: responseCode };
}

const textOf = ({ recipient, response, message }: SmtpError): string =>
  `${recipient ? `${recipient}: ` : ''}${response ?? message}`;

const responseOf = (lines: readonly string[]): SmtpResponse => ({
  status: Number(/^\d{3}/.exec(lines[0] ?? '')?.[0] ?? 250),
  headers: {},
  body: lines.join('\n'),
});

const OF_LIBRARY: Readonly<Record<string, OutboundErrorCode>> = {
  EDNS: 'dns',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  ECONNECTION: 'reset',
  EAUTH: 'smtp',
  EENVELOPE: 'smtp',
  EMESSAGE: 'smtp',
  EPROTOCOL: 'smtp',
};

/** Names the words of the server, but not the login. */
function toServerError(host: string, error: SmtpError): OutboundError {
  const { code = '', originalCode, command, response } = error;
  if (error instanceof OutboundError) return new OutboundError(error.code, error.message, { isOurs: true });
  if (response) {
    const message = `The mail server ${host} rejects ${command?.split(' ')[0] ?? 'Muster'}: ${response}`;
    return new OutboundError('smtp', message, { isOurs: true });
  }
  const known = OF_LIBRARY[originalCode ?? code] ?? OF_LIBRARY[code];
  const cause = Object.assign(new Error(error.message), { code: originalCode ?? code });
  const failure = known
    ? new OutboundError(known, `The connection to the mail server ${host} failed (${originalCode ?? code}).`)
    : toOutboundError(host, cause, false);
  return new OutboundError(failure.code, failure.message, { isOurs: true });
}
