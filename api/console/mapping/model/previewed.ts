import type { Preview } from '../../http/types.ts';

/** An alert of a preview. */
export type PreviewedAlert = Preview['alerts'][number];

/** The result of one field of such an alert. */
export type PreviewedField = PreviewedAlert['fields'][string];
