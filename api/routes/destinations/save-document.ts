import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import { insertDestination, updateDestination } from '../../../db/outbox/destinations.js';
import { resumeLane } from '../../../db/outbox/told-messages.js';
import type { Principal } from '../../access/auth.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest } from '../../http/errors.js';
import { faultsIn, throwFaults } from '../../http/faults.js';
import type { ApiServices } from '../../services.js';
import { changesBetween, type DocumentChange, newSecretAt } from '../by-name/document-changes.js';
import { type DestinationDocument, withPreset } from './document.js';
import { headersOf } from './present.js';
import {
  addressFor,
  headersFor,
  originOf,
  requireAddress,
  requireHeadersAgain,
  requirePreset,
  requireSecretAgain,
  secretFor,
} from './preset-rules.js';
import { sealedAddress, sealedHeaders } from './settings.js';
import { findNamed, type StoredDestination } from './stored-document.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Saving {
  services: ApiServices;
  principal: Principal;
  dryRun: boolean;
}

/**
 * Returns what saving a document does. A URL on another host gets none of the secrets that are stored.
 * @throws RequestError 400 if the document does not fit what is stored
 */
export async function planSave(
  transaction: Knex.Transaction,
  before: StoredDestination | null,
  given: DestinationDocument,
  { services, principal, dryRun }: Saving,
) {
  const { box } = services.intake;
  const current = before?.destination;
  const id = current?.id ?? uuidv7();
  const preset = requirePreset(given.preset);
  const { url, recipients, secret, headers, integrations, paused, ...settings } = withPreset(given);
  const named = await findNamed(transaction, integrations, current?.webhookIds ?? []);
  const known = {
    address: current ? box.open(current.url, id) : null,
    secret: current?.secret ? box.open(current.secret, id) : null,
    headers: current ? headersOf(current, box) : {},
  };
  const headerChange = changeOf(headers, known.headers);
  const isOtherHost = current && url !== undefined && originOf(url) !== originOf(known.address);
  throwFaults(
    faultsIn(
      () => current && requireSamePreset(current.preset, preset.name),
      // A URL may stay as it is, because it is never shown.
      () => (current && !preset.isMail) || requireAddress(preset, { url, recipients }),
      () => (current && secret === undefined) || secretFor(preset, secret),
      () => requireStoredHeaders(headers, known.headers),
      () => headersFor(preset, known.headers, headerChange),
      () => isOtherHost && requireHeadersAgain(known.headers, headerChange),
      () => isOtherHost && requireSecretAgain(preset, secret),
      () => dryRun || requireIntegrations(integrations ?? [], named.missing),
    ),
  );
  const address = addressFor(preset, { url, recipients });
  const isMoved = address !== undefined && address !== known.address;
  const kept = current && secret === undefined ? known.secret : secretFor(preset, secret);
  const isNewSecret = secret !== undefined && kept !== known.secret;
  const newHeaders = headersFor(preset, known.headers, headerChange);
  const changes: DocumentChange[] = [
    ...changesBetween(before && withoutHeaders(before.document), {
      ...settings,
      ...(recipients ? { recipients } : {}),
      integrations,
      paused,
    }),
    ...(isMoved && url !== undefined ? [newSecretAt('url', known.address !== null)] : []),
    ...(isNewSecret ? [newSecretAt('secret', known.secret !== null)] : []),
    ...headerChanges(known.headers, newHeaders),
  ];

  const save = async () => {
    const now = services.clock.now();
    const row = {
      ...settings,
      mode: settings.mode ?? preset.mode,
      ratePerMinute: settings.ratePerMinute ?? null,
      digestAbove: settings.digestAbove ?? null,
      webhookIds: named.ids,
      headers: sealedHeaders(services, id, newHeaders),
      pausedAt: paused ? (current?.pausedAt ?? new Date(now)) : null,
    };
    if (!current) {
      const sealed = kept === null ? null : box.seal(kept, id);
      const secrets = { secret: sealed, previousSecret: null, previousSecretExpiresAt: null };
      const place = sealedAddress(services, id, requireAddress(preset, { url, recipients }));
      await insertDestination(transaction, { ...row, ...place, ...secrets, id, author: principal });
      return;
    }
    // Receivers that check signatures get both for a day.
    const previous = preset.isSigned
      ? { previousSecret: current.secret, previousSecretExpiresAt: new Date(now + DAY_MS) }
      : {};
    const change = {
      ...row,
      ...(isMoved ? sealedAddress(services, id, address) : {}),
      ...(isNewSecret && kept !== null ? { secret: box.seal(kept, id), ...previous } : {}),
    };
    await updateDestination(transaction, id, () => change, { author: principal });
    if (isMoved || (current.pausedAt !== null && !paused)) await resumeLane(transaction, id);
  };
  const isMade = !current && secret === undefined && preset.isSigned && !dryRun;
  return { changes, save, shown: { secret: isMade ? kept : null, missing: named.missing } };
}

/** Returns what a document changes in stored headers: those that it does not have are removed. */
function changeOf(
  given: DestinationDocument['headers'],
  known: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const lower = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const removed = Object.keys(known).filter((name) => !lower.has(name));
  const set = [...lower].flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
  return Object.fromEntries([...removed.map((name): [string, null] => [name, null]), ...set]);
}

function headerChanges(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): DocumentChange[] {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const set = Object.keys(after).filter((name) => after[name] !== before[name]);
  return [
    ...removed.map((name) => ({ path: `headers.${name}`, before: '***', after: null })),
    ...set.map((name) => newSecretAt(`headers.${name}`, Object.hasOwn(before, name))),
  ];
}

const withoutHeaders = ({ headers, ...document }: DestinationDocument) => document;

function requireSamePreset(stored: string, given: string): void {
  if (stored === given) return;
  const message = `must stay ${stored}: delete the destination first, or give the new one another name`;
  throw badRequest('invalid_preset', `\`preset\` ${message}.`, [
    { field: 'preset', code: 'invalid_preset', message },
  ]);
}

function requireStoredHeaders(
  given: DestinationDocument['headers'],
  known: Readonly<Record<string, string>>,
): void {
  const missing = Object.keys(given).filter(
    (name) => given[name] === null && !Object.hasOwn(known, name.toLowerCase()),
  );
  if (missing.length === 0) return;
  const message = `must have a value for ${missing.join(', ')}: none is stored`;
  throw badRequest('invalid_headers', `\`headers\` ${message}.`, [
    { field: 'headers', code: 'invalid_headers', message },
  ]);
}

function requireIntegrations(names: readonly string[], missing: readonly string[]): void {
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({
    field: `integrations.${names.indexOf(name)}`,
    code: 'unknown_integration',
    message: `no integration has the name ${JSON.stringify(name)}`,
  }));
  throw badRequest('invalid_body', summary(BODY, errors), errors);
}
