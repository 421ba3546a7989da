import { createHash } from 'node:crypto';
import type { Database } from '../../../../db/client/connect.js';
import { countImportedTokens, ownersOfTokens } from '../../../../db/webhooks/imported-tokens.js';
import { webhookStates } from '../../../../db/webhooks/webhooks.js';
import { nameText, pathName } from '../../../endpoint/parameters.js';
import { hashToken } from '../../../intake/token.js';
import { weaknessOf } from '../../../intake/weak-token.js';
import { MAX_IMPORTED_TOKENS } from '../imported-tokens.js';
import type { Exported } from './exported.js';
import { isSender, templateOf } from './template-of.js';

export const ACTIONS = ['create', 'add_token', 'none', 'skip', 'reject'] as const;

interface Fault {
  field: string;
  code: string;
  message: string;
}

/** What an import does with an integration of another product. */
export interface PlannedRow {
  exported: Exported;
  action: (typeof ACTIONS)[number];
  /** Why nothing is created; null otherwise. */
  reason: string | null;
  name: string;
  template: string | null;
  /** Of the integration that is created, or that exists. Null: none. */
  webhookId: string | null;
  errors: Fault[];
}

const MAX_NAME = 100;
const TITLES = { opsgenie: 'Opsgenie', 'grafana-oncall': 'Grafana OnCall' } as const;

/** Returns where a token comes from, in words. */
export const sourceOf = ({ product, name }: Exported): string => shortened(`${TITLES[product]}: ${name}`);

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : text;
};

/** Returns what an import of these integrations does. The same integration always gets the same id, so that a repeated import finds it. */
export async function planImport(database: Database, all: readonly Exported[]): Promise<PlannedRow[]> {
  const rows = all.map(checked);
  const open = rows.filter(({ action }) => action === 'create');
  const existing = await placesOf(database, open);
  const hashOf = ({ exported: { token } }: PlannedRow) => token && hashToken(token.text);
  const owners = await ownersOfTokens(
    database,
    open.flatMap((row) => hashOf(row) ?? []),
  );
  const tokens = await countImportedTokens(
    database,
    [...existing].flatMap(({ webhookId }) => webhookId ?? []),
  );
  const inDocument = new Map<string, number>();
  for (const row of open) {
    const hash = hashOf(row)?.toString('hex');
    const owner = hash && owners.get(hash);
    const first = hash && inDocument.get(hash);
    if (owner)
      Object.assign(row, {
        action: 'none',
        webhookId: owner,
        reason: 'It was imported before: an integration has its token.',
      });
    else if (first)
      reject(row, row.exported.token?.field ?? '', 'duplicate_token', `is the same as in row ${first}`);
    else if ((tokens.get(row.webhookId ?? '') ?? 0) >= MAX_IMPORTED_TOKENS && hash)
      reject(
        row,
        row.exported.token?.field ?? '',
        'too_many_tokens',
        `is one too many: the integration has ${MAX_IMPORTED_TOKENS} imported tokens`,
      );
    else if (existing.has(row) && hash) row.action = 'add_token';
    else if (existing.has(row)) Object.assign(row, { action: 'none', reason: 'It was imported before.' });
    if (hash && !first) inDocument.set(hash, row.exported.row);
  }
  return rows;
}

function checked(exported: Exported): PlannedRow {
  const name = shortened(exported.name);
  const row: PlannedRow = {
    ...{ exported, action: 'create', reason: null, name, webhookId: null, errors: [] },
    template: templateOf(exported),
  };
  if (!isSender(exported))
    return {
      ...row,
      action: 'skip',
      template: null,
      reason: 'Nothing sends alerts to integrations of this type over HTTP.',
    };
  if (!exported.isEnabled) return { ...row, action: 'skip', reason: 'It is disabled.' };
  // The description of the integration has the id and the type.
  const texts = Object.entries({ name, id: exported.id, type: exported.type });
  for (const [field, text] of texts.filter(([field, text]) => field === 'name' || text !== ''))
    if (!nameText.safeParse(shortened(text)).success)
      reject(row, field, 'invalid_value', 'must be a text that is not empty, without control characters');
    else if (field === 'name' && !pathName.safeParse(shortened(text)).success)
      reject(row, field, 'invalid_value', 'must not be . or .., because no URL can contain these names');
  if (exported.id === '')
    reject(row, 'id', 'missing', 'is needed to recognize the integration when it is imported again');
  const weakness = exported.token && weaknessOf(exported.token.text);
  if (exported.token && weakness) reject(row, exported.token.field, 'weak_token', weakness);
  return row;
}

function reject(row: PlannedRow, field: string, code: string, message: string): void {
  row.action = 'reject';
  row.errors.push({ field, code, message });
}

/** Gives rows the ids of their integrations, and returns those whose integration exists. One that was deleted is imported again. */
async function placesOf(database: Database, rows: readonly PlannedRow[]): Promise<ReadonlySet<PlannedRow>> {
  const existing = new Set<PlannedRow>();
  let open = rows;
  for (let generation = 0; open.length > 0; generation++) {
    for (const row of open) row.webhookId = idOf(row.exported, generation);
    const states = await webhookStates(
      database,
      open.flatMap(({ webhookId }) => webhookId ?? []),
    );
    const stateOf = ({ webhookId }: PlannedRow) => states.get(webhookId ?? '');
    for (const row of open) if (stateOf(row) === 'live') existing.add(row);
    open = open.filter((row) => stateOf(row) === 'deleted');
  }
  return existing;
}

/** Returns a UUID of version 8, which a service defines for itself. */
function idOf({ product, id }: Exported, generation: number): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([product, id, generation]))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
