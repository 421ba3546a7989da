/** An upload has two steps, each a separate job. */
export type Step = 'dryRun' | 'import';

/**
 * What the file does: adds accounts and changes owners, removes accounts, or is the complete list of some account systems. `link` is the first of them for
 * the account system of an upload link.
 */
export type Mode = 'assert' | 'remove' | 'mirror' | 'link';

/** The options as texts. Except for the first two, an empty text is an option that is not set. */
export interface UploadOptions {
  mode: Mode;
  onError: 'abort' | 'continue';
  /** Empty if it is detected from the file. */
  charset: string;
  /** The sheet of a workbook; empty for the only one. */
  sheet: string;
  /** `keep` if identities that a spreadsheet left in place of a value are accepted. */
  damaged: string;
  /** The names of columns that were chosen. The other fields are found by their known names. */
  emailColumn: string;
  integrationIdColumn: string;
  identityColumn: string;
  /** The account system of all rows. */
  integrationId: string;
  expectedRows: string;
  /** Of a mirror: the account systems, separated by commas, and how many accounts it may remove. */
  integrationIds: string;
  maxRemovals: string;
  /** The destination that is told when a job ends. */
  callback: string;
}

const DEFAULTS: UploadOptions = {
  mode: 'assert',
  onError: 'abort',
  charset: '',
  sheet: '',
  damaged: '',
  emailColumn: '',
  integrationIdColumn: '',
  identityColumn: '',
  integrationId: '',
  expectedRows: '',
  integrationIds: '',
  maxRemovals: '',
  callback: '',
};

/** The options that belong to one file, at their defaults. */
export const FILE_OPTIONS = {
  sheet: '',
  damaged: '',
  emailColumn: '',
  integrationIdColumn: '',
  identityColumn: '',
  integrationId: '',
  expectedRows: '',
} as const satisfies Partial<UploadOptions>;

/** The upload as stored in the page's address: the options, and the job id of each step. */
interface UploadState {
  options: UploadOptions;
  jobs: Record<Step, string | null>;
}

/** Reads the state from the address. An invalid value counts as absent. */
export function readUploadState(search: URLSearchParams): UploadState {
  const given = Object.keys(DEFAULTS).map((name) => [name, search.get(name) ?? '']);
  const texts = Object.fromEntries(given) as Record<keyof UploadOptions, string>;
  return {
    options: {
      ...texts,
      mode: (['remove', 'mirror', 'link'] as const).find((mode) => mode === texts.mode) ?? 'assert',
      onError: texts.onError === 'continue' ? 'continue' : 'abort',
    },
    jobs: { dryRun: search.get('dryRun'), import: search.get('import') },
  };
}

/** Returns the address with the job of a step. A new dry run removes the earlier import. */
export function withJob(search: URLSearchParams, step: Step, jobId: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set(step, jobId);
  if (step === 'dryRun') next.delete('import');
  return next;
}

/** Returns the address with changed options or for another file. Earlier jobs no longer apply. */
export function withOptions(search: URLSearchParams, changes: Partial<UploadOptions>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('dryRun');
  next.delete('import');
  for (const [name, value] of Object.entries(changes)) {
    if (value === DEFAULTS[name as keyof UploadOptions]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the method and the query of a step's request. */
export function uploadRequest(options: UploadOptions, step: Step) {
  const { mode, onError, expectedRows, integrationIds, maxRemovals, callback } = options;
  const mirror = mode === 'mirror' ? { mode, integrationIds, maxRemovals } : {};
  const query = {
    onError,
    ...readingOptions(options),
    expectedRows: expectedRows || undefined,
    ...mirror,
    callback: callback || undefined,
    dryRun: step === 'dryRun' ? true : undefined,
  };
  return { method: mode === 'remove' ? ('DELETE' as const) : ('PATCH' as const), query };
}

/** Returns the query of a preview. */
export const previewQuery = (options: UploadOptions, isComplete: boolean) => ({
  action: options.mode === 'remove' ? 'remove' : 'assert',
  ...readingOptions(options),
  integrationIds: (options.mode === 'mirror' && options.integrationIds) || undefined,
  complete: isComplete,
});

/** The options that decide how a file is read. */
const readingOptions = (options: UploadOptions) => ({
  charset: options.charset || undefined,
  sheet: options.sheet || undefined,
  damaged: options.damaged || undefined,
  columns: columnsText(options) || undefined,
  integrationId: options.integrationId || undefined,
});

/** Returns the option `columns`, such as `email:Mail Address,identity:"Login, unique"`. A removal reads no email. */
function columnsText({ mode, emailColumn, integrationIdColumn, identityColumn }: UploadOptions): string {
  const names = {
    email: mode === 'remove' ? '' : emailColumn,
    integrationId: integrationIdColumn,
    identity: identityColumn,
  };
  return Object.entries(names)
    .filter(([, name]) => name !== '')
    .map(([field, name]) => `${field}:${quoted(name)}`)
    .join(',');
}

const quoted = (name: string): string => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** Returns the options that are required but not set, with a message for each. */
export function missingOptions({ mode, integrationIds, maxRemovals }: UploadOptions): {
  integrationIds?: string;
  maxRemovals?: string;
} {
  if (mode !== 'mirror') return {};
  return {
    ...(integrationIds ? {} : { integrationIds: 'Enter at least one account system ID.' }),
    ...(maxRemovals ? {} : { maxRemovals: 'Enter how many accounts the file may remove.' }),
  };
}
