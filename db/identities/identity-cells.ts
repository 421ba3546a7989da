import { type CellPlace, findCell } from '../client/row-bytes.js';
import type { RowCollector } from './stream-identities.js';

/** Email, integration id and identity. */
export type IdentityCells = [email: string, integrationId: number, identity: string];

const BATCH_ROWS = 2_000;

/** Collects identities as texts and numbers. */
export class IdentityCellRows implements RowCollector<IdentityCells[]> {
  readonly #place: CellPlace = { start: 0, end: 0 };
  #rows: IdentityCells[] = [];

  add(packet: Buffer, start: number): void {
    const place = this.#place;
    const next = (offset: number): string => {
      findCell(packet, offset, place);
      return packet.toString('utf8', place.start, place.end);
    };
    const email = next(start);
    const integrationId = Number(next(place.end));
    this.#rows.push([email, integrationId, next(place.end)]);
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS;
  }

  take(): IdentityCells[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}
