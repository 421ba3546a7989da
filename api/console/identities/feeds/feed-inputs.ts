import type { Feed } from '../../http/types.ts';

/** What the inputs of the dialog have, as texts. */
export interface FeedInputs {
  name: string;
  kind: string;
  /** By the names of {@link SOURCE_INPUTS}. */
  source: Record<string, string>;
  integrationId: string;
  isMirror: boolean;
  /** The name of a column, or `=` and a rule. */
  email: string;
  identity: string;
  keep: string;
  cron: string;
  timeZone: string;
}

export const KINDS = [
  { value: 'https', label: 'HTTPS' },
  { value: 'sftp', label: 'SFTP' },
  { value: 's3', label: 'S3' },
  { value: 'directory', label: 'Directory of the workers' },
];

interface SourceInput {
  name: string;
  label: string;
  description?: string;
  placeholder?: string;
  type?: 'secret' | 'lines' | 'number';
}

/** The inputs of each kind of source. The others of the API have their defaults. */
export const SOURCE_INPUTS: Readonly<Record<string, readonly SourceInput[]>> = {
  https: [
    { name: 'url', label: 'URL', placeholder: 'https://hr.example.com/people.csv' },
    {
      name: 'authorization',
      label: 'Authorization',
      description: 'The header, if it needs one: Bearer …',
      type: 'secret',
    },
    {
      name: 'items',
      label: 'List in JSON',
      description:
        'The path to the list, such as data.members, or . for the whole body. Empty: the file is CSV or a workbook',
    },
    {
      name: 'next',
      label: 'Next page',
      description: 'link, or cursor path=parameter, such as meta.next=cursor. Empty: one page',
    },
  ],
  sftp: [
    { name: 'host', label: 'Host' },
    { name: 'port', label: 'Port', placeholder: '22', type: 'number' },
    { name: 'user', label: 'User' },
    { name: 'path', label: 'Path', description: 'With one *, such as out/hr-*.csv, the newest file' },
    { name: 'hostKey', label: 'Host key', description: 'As ssh-keygen -l prints it: SHA256:…' },
    { name: 'password', label: 'Password', type: 'secret' },
    { name: 'privateKey', label: 'Private key', description: 'Instead of the password', type: 'lines' },
  ],
  s3: [
    { name: 'bucket', label: 'Bucket' },
    { name: 'key', label: 'Key', placeholder: 'hr/people.csv' },
    { name: 'region', label: 'Region', placeholder: 'us-east-1' },
    { name: 'endpoint', label: 'Endpoint', description: 'The URL of a compatible store. Empty: Amazon' },
    { name: 'accessKeyId', label: 'Access key ID' },
    { name: 'secretAccessKey', label: 'Secret access key', type: 'secret' },
  ],
  directory: [
    {
      name: 'path',
      label: 'Path',
      description: 'Below FEED_DIRECTORY. With one *, such as hr-*.csv, the newest file',
    },
  ],
};

/** Returns what the dialog shows of a feed. */
export function toInputs(feed: Feed | null): FeedInputs {
  const { recipe, mirror = null, schedule = null } = feed ?? {};
  const inputOf = (field: 'email' | 'identity') => {
    const rule = recipe?.rules[field];
    return rule === undefined ? (recipe?.columns[field] ?? '') : `=${rule}`;
  };
  return {
    name: feed?.name ?? '',
    kind: feed?.source.kind ?? 'https',
    source: {},
    integrationId: recipe?.integrationId === undefined ? '' : String(recipe.integrationId),
    isMirror: mirror !== null,
    email: inputOf('email'),
    identity: inputOf('identity'),
    keep: recipe?.keep ?? '',
    cron: schedule && 'cron' in schedule ? schedule.cron : '',
    timeZone:
      schedule && 'cron' in schedule ? schedule.timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Returns the body that saves a feed. What the dialog does not show stays as it is. */
export function toSettings(
  inputs: FeedInputs,
  { hasSource, feed }: { hasSource: boolean; feed: Feed | null },
): object {
  const { name, integrationId, isMirror, keep, cron, timeZone } = inputs;
  const columns = { ...feed?.recipe.columns };
  const rules = { ...feed?.recipe.rules };
  for (const field of ['email', 'identity'] as const) {
    delete columns[field];
    delete rules[field];
    const text = inputs[field].trim();
    if (text.startsWith('=')) rules[field] = text.slice(1);
    else if (text !== '') columns[field] = text;
  }
  const number = integrationId.trim() === '' ? undefined : Number(integrationId);
  const present = feed?.schedule ?? null;
  const everyMinutes = present && 'everyMinutes' in present ? present : null;
  return {
    name,
    ...(hasSource ? { source: toSource(inputs) } : {}),
    recipe: {
      ...feed?.recipe,
      columns,
      rules,
      integrationId: number,
      keep: keep.trim() === '' ? undefined : keep,
    },
    mirror: isMirror ? (number === undefined ? (feed?.mirror ?? []) : [number]) : null,
    schedule: cron.trim() === '' ? everyMinutes : { cron: cron.trim(), timeZone },
  };
}

function toSource({ kind, source }: FeedInputs): object {
  const { authorization, items, next, port, ...texts } = source;
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value.trim() !== ''));
  if (kind !== 'https') return { kind, ...given, ...(port ? { port: Number(port) } : {}) };
  return {
    kind,
    ...given,
    ...(authorization ? { headers: { authorization } } : {}),
    ...(items ? { json: { items: items.trim() === '.' ? '' : items.trim(), next: toNext(next) } } : {}),
  };
}

function toNext(text = ''): object | null {
  const [path = '', parameter = ''] = text.trim().split('=');
  if (path === '') return null;
  return path === 'link' && parameter === '' ? { by: 'link' } : { by: 'cursor', path, parameter };
}
