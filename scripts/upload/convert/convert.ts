import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { toCsvLine } from '../../../workers/export/csv.js';
import { checkEmail, checkIdentity } from '../../../workers/identities/record/identity-record.js';
import { printable } from '../../text/printable.js';
import { counted } from '../../text/quantities.js';
import { UploadFailure } from '../failure.js';
import { converters } from './converters.js';
import type { SourceRow } from './source-row.js';

/** What to convert. */
export interface Conversion {
  from: string;
  path: string;
  users?: string | undefined;
  /** The integration of the accounts, or of those of each system. */
  integrations: number | ReadonlyMap<string, number>;
  /** Whether invalid accounts are sent too, so that the service rejects them one by one. */
  sendInvalid: boolean;
}

/** A converted export. */
export interface Converted {
  path: string;
  rows: number;
  /** What was left out. */
  notes: string[];
  remove(): void;
}

const MAX_SHOWN = 10;

/**
 * Converts an export of another product to a CSV file in a temporary folder.
 * @throws UploadFailure with the first invalid accounts, or if there is none to upload
 */
export async function convert(conversion: Conversion): Promise<Converted> {
  const { from, path, users } = conversion;
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const target = join(folder, `${basename(path).replace(/\.\w+$/, '')}.csv`);
    const out = createWriteStream(target, { mode: 0o600 });
    const left = new LeftOut();
    out.write(toCsvLine(['email', 'integrationId', 'identity']));
    let rows = 0;
    for await (const row of converters[from]?.read(path, users) ?? []) {
      const line = lineOf(row, conversion, left);
      if (!line) continue;
      rows += 1;
      if (!out.write(line)) await once(out, 'drain');
    }
    out.end();
    await finished(out);
    left.throwIfInvalid(path);
    const notes = left.notes();
    if (rows === 0) throw new UploadFailure([`${path} has no account to upload.`, ...notes].join('\n'));
    return { path: target, rows, notes, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function lineOf(row: SourceRow, { integrations, sendInvalid }: Conversion, left: LeftOut): string | null {
  const integrationId = typeof integrations === 'number' ? integrations : integrations.get(row.system);
  if (integrationId === undefined) return left.addSystem(row.system);
  if (row.email.trim() === '') return left.addOwnerless();
  const checks = [
    [row.names.email, checkEmail(row.email)],
    [row.names.identity, checkIdentity(row.identity)],
  ] as const;
  for (const [name, checked] of checks)
    if (typeof checked === 'object' && !sendInvalid)
      left.addInvalid(`${row.place}, ${name}: ${checked.message}`);
  return toCsvLine([row.email, integrationId, row.identity]);
}

/** Counts the accounts that are not uploaded. */
class LeftOut {
  #ownerless = 0;
  readonly #systems = new Map<string, number>();
  readonly #invalid: string[] = [];
  #invalidCount = 0;

  addOwnerless(): null {
    this.#ownerless += 1;
    return null;
  }

  addSystem(system: string): null {
    this.#systems.set(system, (this.#systems.get(system) ?? 0) + 1);
    return null;
  }

  addInvalid(message: string): void {
    this.#invalidCount += 1;
    if (this.#invalid.length < MAX_SHOWN) this.#invalid.push(`  ${printable(message)}`);
  }

  throwIfInvalid(path: string): void {
    if (this.#invalidCount === 0) return;
    const more = this.#invalidCount - this.#invalid.length;
    const lines = [...this.#invalid, ...(more > 0 ? [`  ... and ${counted(more, 'more error')}`] : [])];
    throw new UploadFailure(
      `${path} has invalid accounts. Nothing was uploaded. Fix them, or add --on-error continue.\n${lines.join('\n')}`,
    );
  }

  notes(): string[] {
    const systems = [...this.#systems].map(
      ([system, count]) =>
        `Left out ${counted(count, 'account')} of ${printable(system || 'no system')}: not in --integrations`,
    );
    const ownerless =
      this.#ownerless > 0 ? [`Left out ${counted(this.#ownerless, 'account')} without an email`] : [];
    return [...ownerless, ...systems];
  }
}
