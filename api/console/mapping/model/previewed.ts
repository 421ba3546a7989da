import type { Preview } from '../../http/types.ts';

/** An alert as a preview shows it. */
export type PreviewedAlert = Preview['alerts'][number];

/** What became of one field of it. */
export type PreviewedField = PreviewedAlert['fields'][string];
