import type { Preview } from '../../http/types.ts';
import type { Target } from './draft/alert-fields.ts';

/** An alert of a preview. */
export type PreviewedAlert = Preview['alerts'][number];

/** The result of one field of such an alert. */
export type PreviewedField = PreviewedAlert['fields'][string];

/** Returns the result of a field of a previewed alert, or null if it is not known. */
export function resultAt(alert: PreviewedAlert | null, target: Target): PreviewedField | null {
  const name = target.slice(target.indexOf('.') + 1);
  const results = target.startsWith('custom.') ? alert?.custom : alert?.fields;
  return results && Object.hasOwn(results, name) ? (results[name] as PreviewedField) : null;
}
