import type { AlertDetail } from '../../http/types.ts';

export type ShownResult = NonNullable<AlertDetail['results']>['fields'][string];

/** Why a field has the value that it has, a sentence each: what was not there, what was probably meant, what to know. */
export function explainResult(result: ShownResult): string[] {
  return [
    ...result.missing.map((missing) => `${missing.path} is missing${hintOf(missing)}`),
    ...otherwise(result),
    ...result.warnings.map(({ message, value }) =>
      value === undefined ? inSentence(message) : `${value}: ${message}`,
    ),
    ...(result.result === 'resolved' && result.missing.length === 0 ? fromPaths(result.paths) : []),
  ];
}

function hintOf({ nearest, expandJson }: ShownResult['missing'][number]): string {
  if (expandJson) return `; the text at ${expandJson} holds JSON, which the mapping does not expand`;
  return nearest === null ? '' : `; nearest: ${nearest}`;
}

function otherwise({ result, paths, missing }: ShownResult): string[] {
  if (result === 'defaulted' && missing.length === 0)
    return [paths.length === 0 ? 'There is only a default' : 'The template found nothing'];
  if (result === 'missing' && missing.length === 0)
    return [paths.length === 0 ? 'The mapping has no template for it' : 'The template found nothing'];
  return [];
}

const fromPaths = (paths: readonly string[]): string[] =>
  paths.length === 0 ? ['Fixed text'] : [`From ${paths.join(', ')}`];

const inSentence = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1);
