import { z } from 'zod';
import { headerError, headersError } from '../../outbox/custom-headers.js';

const text = (max: number) => z.string().trim().min(1).max(max);
const secretText = (max: number) => z.string().min(1).max(max);

/** Sets them itself: they say which version of the file is known, and which part is wanted. */
const CONDITIONS = /^(?:if-.+|range|accept)$/i;

const headers = z
  .record(z.string(), z.string())
  .superRefine((given, { addIssue }) => {
    const messages = Object.entries(given).map(([name, value]) =>
      CONDITIONS.test(name) ? `must not have ${name}, which Muster sets itself` : headerError(name, value),
    );
    const message = messages.find((one) => one !== null) ?? headersError(given);
    if (message) addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'Sent with each request to the origin of `url`, and to no other: at most 20 headers with Latin-1 values, such as `authorization`. Values are never shown',
  });

const query = z
  .record(text(100), secretText(4_000))
  .refine((given) => Object.keys(given).length <= 20, 'must have at most 20 parameters')
  .meta({
    description:
      'Parameters that are added to the query of each request to the origin of `url`, for tokens. Values are not percent-encoded, and never shown',
  });

const httpsUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine(isPlainUrl, 'must start with https:// and have a host, and no user name or password')
  .meta({
    description:
      'Where the file is. Its host must be public unless `OUTBOUND_ALLOW` lists it. Everybody who may read the feed sees it, so tokens belong in `headers` or `query`',
  });

const dottedPath = z.string().trim().max(200);
const next = z
  .discriminatedUnion('by', [
    z.strictObject({ by: z.literal('link') }),
    z.strictObject({
      by: z.literal('cursor'),
      path: dottedPath.min(1).meta({
        description:
          'Where the cursor of the next page is, such as `response_metadata.next_cursor`. Absent, null or empty on the last page',
      }),
      parameter: text(100).meta({ description: 'The parameter of the query that takes the cursor' }),
    }),
  ])
  .nullable()
  .meta({
    description:
      'How the next page is found: `link`: by the header `Link` with `rel="next"`. `cursor`: by a value in the page. Null: there is one page',
  });

const json = z
  .strictObject({
    items: dottedPath.meta({
      description: 'The path to the list in each page, such as `data.members`. Empty: the page itself',
    }),
    next: next.default(null),
  })
  .nullable()
  .meta({
    description:
      'For a list in JSON instead of a file: each item becomes a row with the columns of the recipe',
  });

/** A path with at most one `*`, in its last part: the newest of the files that it matches. */
const filePath = text(1_000)
  .refine((path) => !/\p{Cc}/u.test(path), 'must not contain control characters')
  .refine((path) => !/[*].*[*]|[*].*\//.test(path), 'must have at most one *, in its last part')
  .refine((path) => !/(?:^|\/)(?:\.\.?)?$/.test(path), 'must end with the name of a file');

const https = z.strictObject({
  kind: z.literal('https'),
  url: httpsUrl,
  headers: headers.default({}),
  query: query.default({}),
  json: json.default(null),
});

const s3 = z.strictObject({
  kind: z.literal('s3'),
  bucket: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  key: z
    .string()
    .min(1)
    .max(1_024)
    .refine((key) => !/(?:^|\/)\.\.?(?:\/|$)/.test(key), 'must not have . or .. as a part')
    .meta({ description: 'The whole key of the object, such as `hr/people.csv`' }),
  region: z
    .string()
    .trim()
    .regex(/^[a-z0-9-]{1,50}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  endpoint: httpsUrl.nullable().default(null).meta({
    description:
      'The URL of an S3-compatible store. Null: Amazon. Its host must be public unless `OUTBOUND_ALLOW` lists it',
  }),
  forcePathStyle: z.boolean().nullable().default(null).meta({
    description: 'Whether the bucket is in the path and not in the host. Null: with an `endpoint` only',
  }),
  accessKeyId: text(200),
  secretAccessKey: secretText(500).meta({ description: 'Never shown' }),
});

const sftp = z
  .strictObject({
    kind: z.literal('sftp'),
    host: text(255).regex(/^[\p{L}\p{N}_.:-]+$/u, 'must be a host name or an IP address'),
    port: z.number().int().min(1).max(65_535).default(22).meta({
      description: 'Ports other than 22 need an entry in `OUTBOUND_ALLOW`',
    }),
    user: text(200),
    path: filePath.meta({
      description:
        'The path of the file, from the root or from the directory after login. With one `*` in its last part, such as `out/hr-*.csv`, the newest of the matching files',
    }),
    hostKey: z
      .string()
      .trim()
      .regex(
        /^SHA256:[A-Za-z0-9+/]{43}$/,
        'must be a fingerprint as `ssh-keygen -l` prints it: SHA256: and 43 characters',
      )
      .meta({
        description:
          'The fingerprint of the key of the server. A server with another key is sent no password',
      }),
    password: secretText(1_000).nullable().default(null).meta({ description: 'Never shown' }),
    privateKey: secretText(20_000).nullable().default(null).meta({
      description: 'A private key as `ssh-keygen` writes it. It is tried before the password. Never shown',
    }),
    passphrase: secretText(1_000)
      .nullable()
      .default(null)
      .meta({ description: 'Of the private key. Never shown' }),
  })
  .refine(({ password, privateKey }) => password !== null || privateKey !== null, {
    path: ['password'],
    message: 'is required unless there is a `privateKey`',
  });

const directory = z.strictObject({
  kind: z.literal('directory'),
  path: filePath
    .refine(
      (path) => !/^\/|(?:^|\/)\.\.(?:\/|$)|\\/.test(path),
      'must be a path below `FEED_DIRECTORY`, without ..',
    )
    .meta({
      description:
        'The path of the file below `FEED_DIRECTORY` of the workers. With one `*` in its last part, such as `hr-*.csv`, the newest of the matching files',
    }),
});

/** What a feed says about its source. Secrets are given as they are. */
export const sourceSchema = z.discriminatedUnion('kind', [https, s3, sftp, directory]).meta({
  description: 'Where the file of a feed comes from',
});

export type SourceSettings = z.infer<typeof sourceSchema>;
export type SourceKind = SourceSettings['kind'];
export type SourceOf<Kind extends SourceKind> = Extract<SourceSettings, { kind: Kind }>;

/** The fields of each kind that are stored sealed and never shown. Of `headers` and `query`, the names may be shown. */
export const SECRET_FIELDS = {
  https: ['headers', 'query'],
  s3: ['secretAccessKey'],
  sftp: ['password', 'privateKey', 'passphrase'],
  directory: [],
} as const satisfies Record<SourceKind, readonly string[]>;

/** Returns where a source is, in a line without secrets. */
export function describeSource(source: SourceSettings): string {
  switch (source.kind) {
    case 'https':
      return source.url;
    case 's3':
      return `s3://${source.bucket}/${source.key}`;
    case 'sftp':
      return `sftp://${source.host}${source.port === 22 ? '' : `:${source.port}`}/${source.path.replace(/^\//, '')}`;
    case 'directory':
      return source.path;
  }
}

function isPlainUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hash } = new URL(address);
  return /^https?:$/.test(protocol) && username + password + hash === '';
}
