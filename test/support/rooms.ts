/** A folder with one subject, the rooms whose files it may import, and the reason. */
export interface Room {
  room: string;
  uses: readonly string[];
  because: string;
}

const SQL = ['db/client', 'db/bulk'];
const JSON_TEXT = 'workers/json';
const TEXT = 'workers/text';
const MAPPING = 'workers/mapping';
const LOOKUPS = 'workers/lookups';
const RECORD = 'workers/identities/record';
const CONTRACTS = 'workers/queues/contracts';
const ALERTMANAGER = 'workers/alertmanager';
const CLOCKS = 'workers/clocks';
const TRACING = 'workers/tracing';
const OUTBOUND = 'workers/outbound';
const TABLES = [
  'db/access',
  'db/jobs',
  'db/webhooks',
  'db/events',
  'db/series',
  'db/identities',
  'db/upkeep',
  'db/heartbeats',
  'db/outbox',
  'db/lookups',
];

/** For the files that start a process: anything below. */
export const EVERY_ROOM: readonly string[] = ['*'];

/** All rooms of the server, from the bottom up: a room may only use rooms above it in this list, so imports never form a circle. */
export const ROOMS: readonly Room[] = [
  { room: 'db/client', uses: [], because: 'connections and transactions know no table' },
  { room: 'db/files', uses: [], because: 'the file store knows keys and bytes, not their meaning' },
  { room: 'db/bulk', uses: ['db/client'], because: 'rows as bytes, written and read, know no nouns' },
  { room: 'db/access', uses: ['db/client'], because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/jobs', uses: ['db/client'], because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/webhooks', uses: ['db/client'], because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/upkeep', uses: ['db/client'], because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/heartbeats', uses: ['db/client'], because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/outbox', uses: SQL, because: 'a noun has its own SQL and knows no other noun' },
  {
    room: 'db/events',
    uses: [...SQL, 'db/outbox'],
    because: 'who is told of an alert is told in its transaction',
  },
  { room: 'db/lookups', uses: SQL, because: 'a noun has its own SQL and knows no other noun' },
  { room: 'db/identities', uses: SQL, because: 'a noun has its own SQL and knows no other noun' },
  {
    room: 'db/series',
    uses: [...SQL, 'db/events', 'db/outbox'],
    because: 'an occurrence of a series is stored as an alert',
  },
  {
    room: 'db/schema',
    uses: ['db/jobs', 'db/webhooks', 'db/upkeep', 'db/outbox', 'db/events', 'db/heartbeats', 'db/lookups'],
    because: 'the words that a column holds belong to its noun',
  },
  { room: 'db/migrations', uses: ['db/client'], because: 'a migration must not change with the code' },

  {
    room: TRACING,
    uses: ['db/client'],
    because: 'a span knows neither the request nor the job that it is of',
  },
  {
    room: TEXT,
    uses: [],
    because:
      'how texts differ, what stands for no text or is none, and how a number is written, mean the same everywhere',
  },
  { room: CLOCKS, uses: [], because: 'clocks are compared without knowing whose they are' },
  { room: OUTBOUND, uses: [], because: 'a request to another host knows no sender' },
  { room: JSON_TEXT, uses: [], because: 'the marks and the nesting of JSON mean the same everywhere' },
  {
    room: RECORD,
    uses: [JSON_TEXT, TEXT],
    because: 'the API and the workers validate records by the same rules',
  },
  { room: `${MAPPING}/values`, uses: [TEXT], because: 'a mapping is a pure function of its payload' },
  {
    room: `${MAPPING}/payload`,
    uses: [JSON_TEXT, `${MAPPING}/values`],
    because: 'reading a payload knows no mapping',
  },
  {
    room: `${MAPPING}/template`,
    uses: [`${MAPPING}/values`],
    because: 'a template is parsed without a payload',
  },
  {
    room: `${MAPPING}/expression`,
    uses: [`${MAPPING}/values`],
    because: 'an expression reads values and knows no mapping',
  },
  {
    room: `${MAPPING}/definition`,
    uses: [`${MAPPING}/values`, `${MAPPING}/template`, `${MAPPING}/expression`],
    because: 'a mapping compiles without a payload',
  },
  {
    room: `${MAPPING}/suggest`,
    uses: [TEXT, `${MAPPING}/values`, `${MAPPING}/payload`],
    because: 'a suggestion compares a path with a payload',
  },
  {
    room: `${MAPPING}/series`,
    uses: [`${MAPPING}/definition`],
    because: 'which items are one alert follows from their keys, states and order alone',
  },
  {
    room: `${MAPPING}/render`,
    uses: [
      RECORD,
      ...['values', 'payload', 'template', 'expression', 'definition', 'suggest', 'series'].map(
        (name) => `${MAPPING}/${name}`,
      ),
    ],
    because:
      'rendering applies a compiled mapping to a payload; the owner of an alert is an email as identities have it',
  },
  {
    room: `${MAPPING}/message`,
    uses: ['values', 'template', 'expression', 'definition', 'render'].map((name) => `${MAPPING}/${name}`),
    because: 'a message is drawn by the rules by which a payload is rendered',
  },
  {
    room: `${MAPPING}/inspect`,
    uses: ['values', 'payload', 'template', 'expression', 'definition', 'series', 'render'].map(
      (name) => `${MAPPING}/${name}`,
    ),
    because: 'explanations and statistics look at what was rendered',
  },
  {
    room: `${MAPPING}/recognize`,
    uses: ['values', 'payload', 'definition', 'render'].map((name) => `${MAPPING}/${name}`),
    because: 'recognizing compares a payload with samples, without knowing whose they are',
  },
  {
    room: `${MAPPING}/catalogue`,
    uses: [`${MAPPING}/values`, `${MAPPING}/definition`],
    because: 'a source is data: a mapping and a sample',
  },
  {
    room: MAPPING,
    uses: [
      'values',
      'payload',
      'definition',
      'suggest',
      'series',
      'render',
      'message',
      'inspect',
      'recognize',
    ].map((name) => `${MAPPING}/${name}`),
    because: 'its index is the only entrance for other rooms, except to the catalogue',
  },

  {
    room: ALERTMANAGER,
    uses: [],
    because: 'the API checks the alerts of a list, and the worker writes their events',
  },
  {
    room: CONTRACTS,
    uses: [ALERTMANAGER, 'db/events', 'db/identities', 'db/lookups'],
    because: 'the API imports contracts, so they import no handler',
  },
  {
    room: 'workers/queues',
    uses: [CONTRACTS, TRACING, 'db/jobs'],
    because: 'queues carry jobs and do not run them',
  },
  {
    room: 'workers/callbacks',
    uses: ['workers/queues', CONTRACTS, 'db/client', 'db/jobs', 'db/outbox'],
    because: 'who is told of the end of a job is told in its transaction, by the API and by workers',
  },
  {
    room: 'workers/process',
    uses: [CLOCKS, OUTBOUND, 'workers/queues', 'db/client', 'db/files'],
    because: 'settings, logs and shutdown are the same for every process',
  },
  {
    room: 'workers/run',
    uses: [
      TRACING,
      CLOCKS,
      'workers/process',
      'workers/queues',
      'workers/callbacks',
      CONTRACTS,
      'db/client',
      'db/files',
      'db/jobs',
      'db/identities',
    ],
    because: 'taking, retrying and ending a job knows no handler',
  },
  {
    room: 'workers/export',
    uses: ['workers/run', 'db/client', 'db/bulk', 'db/files', 'db/jobs', 'db/events'],
    because: 'a handler supplies the rows of an export',
  },
  { room: 'workers/identities/decode', uses: [TEXT, RECORD], because: 'decoding turns bytes into text' },
  {
    room: 'workers/identities/rejected',
    uses: [RECORD, 'workers/identities/decode', 'workers/export', 'db/files'],
    because: 'rejected rows are written as they were read',
  },
  {
    room: 'workers/identities/header',
    uses: [RECORD, 'workers/identities/decode', 'workers/identities/rejected'],
    because: 'what the columns of a file mean is known before its rows',
  },
  {
    room: 'workers/identities/workbook',
    uses: [RECORD, 'workers/run', 'db/files'],
    because: 'a sheet is read as text, without knowing what its columns mean',
  },
  {
    room: 'workers/identities/parse',
    uses: [
      TEXT,
      RECORD,
      'workers/identities/workbook',
      'workers/identities/header',
      'workers/identities/decode',
      'workers/identities/rejected',
      'workers/export',
      'workers/run',
    ],
    because: 'parsing turns text into valid and rejected rows',
  },
  {
    room: 'workers/identities/preview',
    uses: [
      TEXT,
      RECORD,
      'workers/identities/header',
      'workers/identities/decode',
      'workers/identities/rejected',
      'workers/identities/parse',
      'workers/identities/workbook',
      'workers/run',
    ],
    because: 'the API shows the start of a file by the rules that a worker reads it by',
  },
  {
    room: 'workers/identities/changes',
    uses: ['workers/export', 'db/identities'],
    because: 'the API reads changes files by the rules that the workers write them by',
  },
  {
    room: 'workers/identities/spool',
    uses: ['workers/identities/parse', 'workers/run', 'db/jobs'],
    because: 'a spool keeps valid rows, sorted, and where parsing resumes',
  },
  {
    room: 'workers/identities',
    uses: [
      RECORD,
      CONTRACTS,
      'workers/identities/header',
      'workers/identities/parse',
      'workers/identities/rejected',
      'workers/identities/spool',
      'workers/identities/changes',
      'workers/identities/workbook',
      TEXT,
      'workers/run',
      'db/identities',
      'db/jobs',
    ],
    because: 'the two passes of an import use all of its parts',
  },
  {
    room: 'workers/outbox/presets',
    uses: [TEXT],
    because: 'a format is a pure function of the message and knows neither destinations nor HTTP',
  },
  {
    room: 'workers/events/series',
    uses: [MAPPING, 'db/client', 'db/upkeep', 'db/events', 'db/series', 'db/outbox'],
    because: 'stored series are folded by the rules of the mapping engine',
  },
  {
    room: 'workers/worklist',
    uses: [TEXT, RECORD, 'workers/identities/parse', 'workers/run'],
    because: 'ranking reads a list of accounts and is given the identities',
  },
  {
    room: 'workers/heartbeats',
    uses: [TEXT, 'db/events', 'db/heartbeats'],
    because: 'what a heartbeat has to keep follows from its settings and its pings',
  },
  {
    room: LOOKUPS,
    uses: [MAPPING, 'db/client', 'db/identities', 'db/lookups'],
    because: 'what a mapping looks up is found without knowing for what',
  },
  {
    room: 'workers/events/store',
    uses: [
      TRACING,
      'workers/heartbeats',
      MAPPING,
      LOOKUPS,
      'workers/queues',
      ALERTMANAGER,
      CONTRACTS,
      'workers/run',
      'workers/events/series',
      'db/client',
      'db/events',
      'db/outbox',
      'db/series',
      'db/webhooks',
    ],
    because: 'storing an event maps it, then writes it',
  },
  {
    room: 'workers/outbox',
    uses: [
      'workers/outbox/presets',
      OUTBOUND,
      MAPPING,
      'workers/process',
      'workers/events/series',
      'db/client',
      'db/events',
      'db/series',
      'db/outbox',
    ],
    because: 'who is told of an alert follows from what is stored of it',
  },
  {
    room: 'workers/silence',
    uses: [
      TEXT,
      'workers/heartbeats',
      'workers/events/store',
      'db/client',
      'db/events',
      'db/heartbeats',
      'db/upkeep',
      'db/webhooks',
    ],
    because: 'what is concluded from silence is stored as events of Muster itself',
  },
  {
    room: 'workers/drift',
    uses: [TEXT, MAPPING, 'workers/events/store', 'db/client', 'db/events', 'db/webhooks'],
    because: 'what no longer fits a mapping is stored as events of Muster itself',
  },
  {
    room: 'workers/trouble',
    uses: [TEXT, 'workers/events/store', 'workers/outbox/presets', 'db/client', 'db/outbox'],
    because: 'what keeps a destination from being told is stored as events of Muster itself',
  },
  {
    room: 'workers/events/remap',
    uses: [
      MAPPING,
      CONTRACTS,
      'workers/run',
      'workers/events/series',
      'workers/events/store',
      'db/client',
      'db/events',
      'db/series',
    ],
    because: 'a remap maps stored events like new ones, and compares',
  },
  {
    room: 'workers/tables',
    uses: [
      RECORD,
      CONTRACTS,
      'workers/run',
      'workers/export',
      'workers/identities/decode',
      'workers/identities/parse',
      'workers/identities/rejected',
      'db/client',
      'db/jobs',
      'db/lookups',
    ],
    because: 'a table is read by the rules of an upload of identities',
  },
  {
    room: 'workers/feeds/sources',
    uses: [OUTBOUND, MAPPING, 'workers/export', 'workers/outbox'],
    because: 'fetching a file knows neither the feed nor what its rows mean',
  },
  {
    room: 'workers/upkeep',
    uses: [
      CLOCKS,
      'workers/queues',
      CONTRACTS,
      MAPPING,
      'workers/events/series',
      'workers/events/store',
      'workers/silence',
      'workers/drift',
      'workers/trouble',
      'workers/run',
      'workers/process',
      'db/client',
      'db/files',
      'db/access',
      'db/heartbeats',
      'db/jobs',
      'db/events',
      'db/series',
      'db/identities',
      'db/outbox',
      'db/lookups',
      'db/upkeep',
      'db/webhooks',
    ],
    because: 'upkeep repairs what other rooms left behind and does no work of theirs',
  },
  {
    room: 'workers/jobs',
    uses: [
      TEXT,
      MAPPING,
      RECORD,
      CONTRACTS,
      'workers/process',
      'workers/run',
      'workers/export',
      'workers/identities',
      'workers/identities/spool',
      'workers/identities/workbook',
      'workers/worklist',
      'workers/events/store',
      'workers/events/series',
      'workers/events/remap',
      'workers/tables',
      'workers/upkeep',
      'workers/outbox',
      'db/client',
      'db/jobs',
      'db/webhooks',
      'db/events',
      'db/series',
      'db/identities',
      'db/outbox',
      'db/lookups',
    ],
    because: 'a handler puts the parts together',
  },
  { room: 'workers', uses: EVERY_ROOM, because: 'it starts the process and registers the handlers' },

  {
    room: 'api/http',
    uses: [TEXT, 'workers/process', 'db/jobs'],
    because: 'errors and headers know no route',
  },
  { room: 'api/limits', uses: [], because: 'semaphores and queues know no request' },
  {
    room: 'api/access',
    uses: ['api/http', 'api/limits', 'workers/process', 'db/client', 'db/access'],
    because: 'who may do what is decided before a route runs',
  },
  {
    room: 'api/idempotency',
    uses: ['api/http', 'workers/process', 'workers/queues', 'db/client', 'db/access', 'db/jobs'],
    because: 'safe retries know no route',
  },
  {
    room: 'api/endpoint',
    uses: ['api/idempotency', 'api/access', 'db/access'],
    because: 'what a route declares is independent of what it does',
  },
  {
    room: 'api/body',
    uses: [TEXT, JSON_TEXT, 'api/http', 'api/idempotency', RECORD, 'db/files'],
    because: 'reading a body knows no route',
  },
  {
    room: 'api/change-feed',
    uses: ['api/http', 'api/limits', 'workers/identities/changes', 'db/client', 'db/identities'],
    because: 'a page of the feed of changes is read and awaited without knowing its route',
  },
  {
    room: 'api/jobs',
    uses: [
      'api/http',
      'api/limits',
      'api/access',
      'api/idempotency',
      'api/endpoint',
      CONTRACTS,
      'workers/queues',
      'workers/callbacks',
      'workers/outbox/presets',
      'db/client',
      'db/files',
      'db/access',
      'db/jobs',
      'db/identities',
      'db/outbox',
      'workers/identities/changes',
    ],
    because: 'a job is submitted and awaited in one way',
  },
  {
    room: 'api/lists',
    uses: ['api/http', 'api/limits', 'api/endpoint', 'api/jobs', CONTRACTS, 'db/client', 'db/events'],
    because: 'all lists page in one way, and a job writes a whole list as a file',
  },
  {
    room: 'api/sns',
    uses: [OUTBOUND, MAPPING],
    because: 'verifying a message of Amazon SNS knows no integration',
  },
  {
    room: 'api/intake/request',
    uses: [TEXT, JSON_TEXT, MAPPING, 'api/http', 'api/body'],
    because: 'reading what a sender sends knows no integration',
  },
  {
    room: 'api/intake',
    uses: [
      TRACING,
      CLOCKS,
      'api/intake/request',
      'api/http',
      'api/access',
      'api/sns',
      ALERTMANAGER,
      CONTRACTS,
      'workers/process',
      'workers/queues',
      'db/client',
      'db/access',
      'db/webhooks',
      'db/events',
      'db/heartbeats',
      'db/upkeep',
    ],
    because: 'accepting events does without the rest of a request, because it is the hot path',
  },
  {
    room: 'api/preview',
    uses: [MAPPING, LOOKUPS, 'api/http', 'api/limits', 'db/client', 'db/events', 'db/webhooks'],
    because: 'a preview maps without storing',
  },
  {
    room: 'api/templates',
    uses: [MAPPING, `${MAPPING}/catalogue`, 'api/preview', 'db/client', 'db/webhooks'],
    because: 'the templates of the catalogue and the saved ones are one gallery',
  },
  {
    room: 'api/dashboard',
    uses: ['api/http', CONTRACTS, 'workers/queues'],
    because: 'the dashboard sees queues, not tables',
  },
  {
    room: 'api/metrics',
    uses: ['api/intake', CLOCKS, 'workers/process', 'workers/queues', 'db/client', 'db/series'],
    because: 'metrics read numbers that others keep',
  },
  {
    room: 'api/openapi',
    uses: ['api/http', 'api/endpoint', CONTRACTS],
    because: 'the document is built from what routes declare',
  },
  {
    room: 'api/routes',
    uses: [
      ...['http', 'access', 'idempotency', 'endpoint', 'body', 'lists', 'jobs', 'change-feed'].map(
        (name) => `api/${name}`,
      ),
      ...['intake', 'intake/request', 'preview', 'templates', 'dashboard', 'sns'].map(
        (name) => `api/${name}`,
      ),
      JSON_TEXT,
      TEXT,
      MAPPING,
      LOOKUPS,
      `${MAPPING}/catalogue`,
      RECORD,
      'workers/identities/preview',
      'workers/identities/changes',
      'workers/heartbeats',
      'workers/silence',
      'workers/drift',
      'workers/outbox',
      'workers/outbox/presets',
      OUTBOUND,
      'workers/process',
      ALERTMANAGER,
      CONTRACTS,
      CLOCKS,
      'workers/queues',
      'workers/callbacks',
      'db/client',
      'db/lookups',
      ...TABLES,
    ],
    because: 'a route puts the parts together; bulk work belongs to the workers',
  },
  {
    room: 'api/server',
    uses: [
      ...['http', 'access', 'idempotency', 'endpoint', 'metrics', 'routes'].map((name) => `api/${name}`),
      TRACING,
      'workers/process',
      'workers/queues',
      'db/client',
      'db/files',
    ],
    because: 'the server mounts the routes',
  },
  { room: 'api', uses: EVERY_ROOM, because: 'it starts the process' },
];

/** Every room of the API may import what a process consists of. */
export const SHARED_FILES = ['api/services.js', 'api/settings.js'];

/** Returns the room of a file: the longest that its path begins with. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(({ room }) => file.startsWith(`${room}/`)).sort(
    (one, other) => other.room.length - one.room.length,
  )[0];
}
