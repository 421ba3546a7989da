import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { FetchContext, FetchedFile } from './fetched-file.js';
import { deadlinesOf } from './fetched-file.js';
import { guarded } from './guarded.js';
import { bodyOf, isEtag } from './https.js';
import type { SourceOf } from './settings.js';
import { SourceError, toSourceError } from './source-error.js';

/** More than any error of S3 has. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Fetches an object of S3 or of a compatible store. The SDK is loaded on first use.
 * @throws SourceError
 */
export async function fetchFromS3(
  source: SourceOf<'s3'>,
  context: FetchContext,
): Promise<FetchedFile | 'unchanged'> {
  const { bucket, key, region, endpoint, accessKeyId, secretAccessKey } = source;
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    // That of the operator's file store is not meant.
    ignoreConfiguredEndpointUrls: true,
    forcePathStyle: source.forcePathStyle ?? endpoint !== null,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
    // S3-compatible servers support only the older checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: handlerOf(context),
  });
  const condition = context.known !== null && isEtag(context.known) ? { IfNoneMatch: context.known } : {};
  try {
    const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...condition }));
    if (!(object.Body instanceof Readable))
      throw new SourceError('rejected', `${bucket} responded without an object.`);
    return {
      name: key.split('/').at(-1) || bucket,
      version: object.ETag ?? null,
      modifiedAt: object.LastModified ?? null,
      contentType: object.ContentType ?? null,
      content: object.Body,
    };
  } catch (error) {
    if (statusOf(error) === 304) return 'unchanged';
    throw statusOf(error) === 0 ? toSourceError(error) : refusal(source, error);
  } finally {
    client.destroy();
  }
}

/** What the SDK wants to be sent. */
interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
}

/** Returns what sends the signed requests of the SDK by the rules of all outgoing requests. */
function handlerOf(context: FetchContext): NonNullable<S3ClientConfig['requestHandler']> {
  const { connectMs, responseMs } = deadlinesOf(context);
  return {
    handle: async ({ protocol, hostname, port, path, query, headers }: SignedRequest) => {
      const url = new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}${queryText(query)}`);
      const response = await context.outbound.open(url.href, {
        headers,
        connectTimeoutMs: connectMs,
        responseTimeoutMs: responseMs,
        stopped: context.stopped,
      });
      const { status, body } = response;
      const content =
        status === 200
          ? bodyOf({ url, headers: response.headers, body }, context.maxBytes, context)
          : Readable.from([await errorIn(body, hostname, context)]);
      const all = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return { response: { statusCode: status, headers: Object.fromEntries(all), body: content } };
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
  };
}

const errorIn = (body: Readable, name: string, context: FetchContext): Promise<Buffer> =>
  buffer(guarded(body, { name, bytes: null, maxBytes: MAX_ERROR_BYTES, toError: toSourceError }, context));

/** Returns the query in the form that was signed. */
function queryText(query: SignedRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encoded(name)}=${encoded(value ?? '')}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** RFC 3986 reserves some characters that JavaScript does not encode. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** What is used of an error of the SDK. */
interface S3Failure {
  $metadata?: { httpStatusCode?: number };
}

const hasMetadata = (error: unknown): error is Error & S3Failure =>
  error instanceof Error && '$metadata' in error;

/** Returns the status of the response that an error is of; 0: there was none. */
const statusOf = (error: unknown): number =>
  hasMetadata(error) ? (error.$metadata?.httpStatusCode ?? 0) : 0;

function refusal({ bucket, endpoint }: SourceOf<'s3'>, error: unknown): SourceError {
  const status = statusOf(error);
  const name = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'no code';
  const what = `${endpoint === null ? 'S3' : new URL(endpoint).hostname} responded with ${status} (${name})`;
  if (status === 404)
    return new SourceError('not_found', `${what}: check \`bucket\` ${bucket}, \`key\` and \`region\`.`);
  if (name === 'InvalidObjectState')
    return new SourceError(
      'rejected',
      `${what}: the object is archived. Restore it, or use another storage class.`,
    );
  if (status === 401 || status === 403)
    return new SourceError(
      'auth',
      `${what}. Check the access key, and that it may do s3:GetObject on this key.`,
    );
  if (status === 429 || status >= 500) return new SourceError('unavailable', `${what}.`);
  return new SourceError(
    'rejected',
    `${what}. Check \`region\` and \`endpoint\`: the bucket may be in another region.`,
  );
}
