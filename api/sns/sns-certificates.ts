import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { leadsToSns } from '../../workers/mapping/index.js';
import type { OutboundClient } from '../../workers/outbound/outbound-client.js';
import { OutboundError } from '../../workers/outbound/outbound-error.js';

/** SNS uses one certificate per region, and replaces it about once a year. */
const MAX_CERTIFICATES = 50;
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;
/** A failure is remembered for this long, so that repeated messages cause no more requests than this. */
const FAILURE_AGE_MS = 60_000;
const MAX_FAILURES = 1_000;
/** Anybody who knows a webhook URL can name certificates that do not exist. This bounds the requests at the same time. */
const MAX_REQUESTS = 4;
const LIMITS = { timeoutMs: 3_000, maxBytes: 16_384 };

/**
 * The name of a certificate file of SNS. Any other path could be an API call whose response repeats text of the request, and thus a
 * certificate that somebody else made.
 */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/;
const PEM_START = '-----BEGIN CERTIFICATE-----';
/** Most regions use `sns.amazonaws.com`; others add their name, such as `sns-signing.eu-south-1.amazonaws.com`. */
const SUBJECT = /^CN=sns(?:[.-][a-z0-9]+)*\.amazonaws\.com(?:\.cn)?$/m;

/** Why there is no valid certificate. `unavailable` can change with a retry, `invalid` cannot. */
export class SnsCertificateError extends Error {
  override name = 'SnsCertificateError';
  readonly code: 'unavailable' | 'invalid';

  constructor(code: SnsCertificateError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Fetches the certificates with which SNS signs, and keeps them for a day. */
export class SnsCertificates {
  readonly #https: OutboundClient;
  readonly #clock: { now(): number };
  readonly #certificates = new LRUCache<string, X509Certificate>({ max: MAX_CERTIFICATES, ttl: MAX_AGE_MS });
  readonly #failures = new LRUCache<string, SnsCertificateError>({ max: MAX_FAILURES, ttl: FAILURE_AGE_MS });
  readonly #requests = new Map<string, Promise<X509Certificate>>();

  /** @param clock decides which certificates are valid. Default: that of this host */
  constructor(https: OutboundClient, clock: { now(): number } = Date) {
    this.#https = https;
    this.#clock = clock;
  }

  /**
   * Returns the certificate of a message's `SigningCertURL`. It is authentic because it comes over TLS from an SNS host.
   * @throws SnsCertificateError
   */
  async get(url: string): Promise<X509Certificate> {
    if (!isCertificateUrl(url)) {
      const message =
        '`SigningCertURL` must be https://sns.<region>.amazonaws.com/SimpleNotificationService-<id>.pem.';
      throw new SnsCertificateError('invalid', message);
    }
    const failure = this.#failures.get(url);
    if (failure) throw failure;
    const certificate = this.#certificates.get(url) ?? (await this.#requestOnce(url));
    requireValid(certificate, this.#clock.now());
    return certificate;
  }

  #requestOnce(url: string): Promise<X509Certificate> {
    const running = this.#requests.get(url);
    if (running) return running;
    if (this.#requests.size >= MAX_REQUESTS)
      throw new SnsCertificateError(
        'unavailable',
        'Too many certificates of SNS are being fetched. Retry in a few seconds.',
      );
    const request = this.#request(url).finally(() => this.#requests.delete(url));
    this.#requests.set(url, request);
    return request;
  }

  async #request(url: string): Promise<X509Certificate> {
    try {
      const certificate = await fetchCertificate(this.#https, url);
      this.#certificates.set(url, certificate);
      return certificate;
    } catch (error) {
      const failure = toCertificateError(error);
      this.#failures.set(url, failure);
      throw failure;
    }
  }
}

/** Returns whether a URL names a certificate file at an SNS host. */
function isCertificateUrl(url: string): boolean {
  if (!leadsToSns(url)) return false;
  const { pathname, search, hash } = new URL(url);
  return CERTIFICATE_PATH.test(pathname) && search + hash === '';
}

async function fetchCertificate(https: OutboundClient, url: string): Promise<X509Certificate> {
  const { status, body } = await https.get(url, LIMITS);
  const { hostname } = new URL(url);
  if (status !== 200)
    throw new SnsCertificateError(
      status >= 500 ? 'unavailable' : 'invalid',
      `${hostname} responded with status ${status} instead of its certificate.`,
    );
  const pem = body.toString('latin1');
  // Text before the certificate would be ignored, and could be an error message that repeats a certificate.
  if (!pem.startsWith(PEM_START))
    throw new SnsCertificateError('invalid', `${hostname} did not send a PEM certificate.`);
  const certificate = new X509Certificate(pem);
  if (!SUBJECT.test(certificate.subject))
    throw new SnsCertificateError('invalid', 'The certificate was not issued to Amazon SNS.');
  return certificate;
}

function requireValid({ validFrom, validTo }: X509Certificate, now: number): void {
  if (now >= Date.parse(validFrom) && now <= Date.parse(validTo)) return;
  throw new SnsCertificateError(
    'invalid',
    `The certificate of SNS is only valid from ${validFrom} to ${validTo}.`,
  );
}

function toCertificateError(error: unknown): SnsCertificateError {
  if (error instanceof SnsCertificateError) return error;
  if (error instanceof OutboundError) return new SnsCertificateError('unavailable', error.message);
  return new SnsCertificateError('invalid', 'The certificate of SNS cannot be read.');
}
