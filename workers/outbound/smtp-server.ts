/** The mail server of the operator. */
export interface SmtpServer {
  host: string;
  port: number;
  /** `always`: from the first byte. `required`: by STARTTLS. `offered`: by STARTTLS if the server has it. */
  tls: 'always' | 'required' | 'offered' | 'never';
  login: { user: string; password: string } | null;
}

export const SMTP_URL_RULE =
  'must be smtp://user:password@host:port or smtps://…, with a percent-encoded user and password, and ?starttls=required, ?starttls=never or nothing';

const [SUBMISSION_PORT, TLS_PORT] = [587, 465];

/** Reads `SMTP_URL`; null: it is invalid, see `SMTP_URL_RULE`. A password is never sent without TLS, unless `?starttls=never` says so. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, username, password, searchParams, hash } = new URL(text);
  const isTls = protocol === 'smtps:';
  const starttls = searchParams.get('starttls');
  const isKnown = [...searchParams.keys()].every((name) => name === 'starttls' && !isTls);
  const isPlain = /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === '';
  if (!isPlain || !isKnown || !/^(?:required|never)?$/.test(starttls ?? '')) return null;
  try {
    const login = username
      ? { user: decodeURIComponent(username), password: decodeURIComponent(password) }
      : null;
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (isTls ? TLS_PORT : SUBMISSION_PORT),
      tls: isTls ? 'always' : starttls === 'never' ? 'never' : starttls || login ? 'required' : 'offered',
      login,
    };
  } catch {
    return null;
  }
}
