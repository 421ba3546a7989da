import type { SeriesPosition } from '../../../db/series/series.js';

/** A place takes 30 characters: base64 of 6 bytes of the time and 16 of the id. */
const CHARACTERS = 30;
const TIME_DIGITS = 12;

/** At most `MAX_PLACES` places of items as a cursor carries them. */
export const PLACES = /^([A-Za-z0-9_-]{30}){0,90}$/;

export const encodePlaces = (places: readonly SeriesPosition[]): string =>
  places
    .map(({ receivedAt, id }) => receivedAt.toString(16).padStart(TIME_DIGITS, '0') + id.replaceAll('-', ''))
    .map((digits) => Buffer.from(digits, 'hex').toString('base64url'))
    .join('');

export const decodePlaces = (text: string): SeriesPosition[] =>
  Array.from({ length: text.length / CHARACTERS }, (_, number) => {
    const place = text.slice(number * CHARACTERS, (number + 1) * CHARACTERS);
    const digits = Buffer.from(place, 'base64url').toString('hex');
    return {
      receivedAt: Number.parseInt(digits.slice(0, TIME_DIGITS), 16),
      id: digits.slice(TIME_DIGITS).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    };
  });
