import type { AlertDetail } from '../../http/types.ts';

export type ShownResult = NonNullable<AlertDetail['results']>['fields'][string];

/** Returns why a field has its value, one sentence per reason: missing paths with the nearest match, warnings, and the source. */
export function explainResult(result: ShownResult): string[] {
  return [
    ...result.missing.map((missing) => `${missing.path} is missing${hintOf(missing)}`),
    ...explainAbsence(result),
    ...result.warnings.map(({ message, value }) =>
      value === undefined ? inSentence(message) : `${value}: ${message}`,
    ),
    ...(result.result === 'resolved' && result.missing.length === 0 ? fromPaths(result.paths) : []),
  ];
}

function hintOf({ nearest, expandJson }: ShownResult['missing'][number]): string {
  if (expandJson) return `; the text at ${expandJson} contains JSON that the mapping does not expand`;
  return nearest === null ? '' : `; nearest: ${nearest}`;
}

function explainAbsence({ result, paths, missing }: ShownResult): string[] {
  if (result === 'resolved' || missing.length > 0) return [];
  if (paths.length > 0) return ['The template or expression produced no value'];
  return [
    result === 'defaulted'
      ? 'The mapping has only a default for this field'
      : 'The mapping has no template or expression for this field',
  ];
}

const fromPaths = (paths: readonly string[]): string[] =>
  paths.length === 0 ? ['Fixed text'] : [`From ${paths.join(', ')}`];

const inSentence = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1);
