import { printable } from '../../text/printable.js';
import { counted } from '../../text/quantities.js';
import { UploadFailure } from '../failure.js';
import type { SourceRow } from './source-row.js';

const MAX_SHOWN = 10;

/** Counts the accounts of an export that are not converted, and keeps the first ones for messages. */
export class LeftOut {
  #ownerless = 0;
  readonly #systems = new Map<string, number>();
  readonly #first: string[] = [];
  readonly #invalid: string[] = [];
  #invalidCount = 0;

  addOwnerless(row: SourceRow): null {
    this.#ownerless += 1;
    return this.#keep(row, `${row.names.email} is empty`);
  }

  addSystem(row: SourceRow): null {
    this.#systems.set(row.system, (this.#systems.get(row.system) ?? 0) + 1);
    return this.#keep(row, `${row.system || 'no system'} is not in --integrations`);
  }

  addInvalid(message: string): void {
    this.#invalidCount += 1;
    if (this.#invalid.length < MAX_SHOWN) this.#invalid.push(message);
  }

  /** @throws UploadFailure with the first invalid accounts */
  throwIfInvalid(path: string): void {
    if (this.#invalidCount === 0) return;
    throw new UploadFailure(
      `${path} has invalid accounts. Nothing was uploaded. Fix them, or add --on-error continue.\n` +
        listed(this.#invalid, this.#invalidCount, 'error'),
    );
  }

  /**
   * A mirror removes accounts that its file does not name, so it would also remove these.
   * @throws UploadFailure with the first accounts that were left out
   */
  throwIfAny(path: string): void {
    const count = this.#ownerless + [...this.#systems.values()].reduce((sum, more) => sum + more, 0);
    if (count === 0) return;
    throw new UploadFailure(
      `${path} has ${counted(count, 'account')} that would be left out, and --mirror would remove them. Nothing was uploaded. ` +
        'Give each an email and an integration in the export or delete it there, or upload without --mirror.\n' +
        listed(this.#first, count, 'account'),
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

  #keep({ place, identity }: SourceRow, reason: string): null {
    if (this.#first.length < MAX_SHOWN) this.#first.push(`${place}, account ${identity}: ${reason}`);
    return null;
  }
}

function listed(first: readonly string[], count: number, what: string): string {
  const more = count - first.length;
  const lines = first.map((line) => `  ${printable(line)}`);
  return [...lines, ...(more > 0 ? [`  ... and ${counted(more, `more ${what}`)}`] : [])].join('\n');
}
