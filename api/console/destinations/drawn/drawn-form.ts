import type { Destination } from '../../http/types.ts';

/** What draws a body: the preset, a template or an expression. */
export type BodyKind = 'preset' | 'template' | 'expression';

/** The filter and the body of a destination as a form has them. */
export interface DrawnForm {
  /** Empty: none. */
  filter: string;
  kind: BodyKind;
  contentType: 'application/json' | 'text/plain';
  template: string;
  expression: string;
}

const TEMPLATE = '{"text": "{{alert.title}}", "severity": {{{alert.severity}}}}';
const EXPRESSION = '{"text": alert.title, "severity": alert.severity}';

/** Returns the filter and the body of a destination as a form has them. */
export const toDrawn = ({ filter, body }: Pick<Destination, 'filter' | 'body'>): DrawnForm => ({
  filter: filter ?? '',
  kind: body === null ? 'preset' : body.expression === undefined ? 'template' : 'expression',
  contentType: body?.contentType ?? 'application/json',
  template: body?.template ?? TEMPLATE,
  expression: body?.expression ?? EXPRESSION,
});

/** Returns them as the API has them. */
export const fromDrawn = ({ filter, kind, contentType, template, expression }: DrawnForm) => ({
  filter: filter.trim() || null,
  body:
    kind === 'preset' ? null : kind === 'template' ? { contentType, template } : { contentType, expression },
});

/** What a rehearsal needs of a destination. */
export type RehearsedSettings = Pick<
  Destination,
  | 'preset'
  | 'webhookIds'
  | 'types'
  | 'severityAtLeast'
  | 'mode'
  | 'settleSeconds'
  | 'ratePerMinute'
  | 'repeatEveryMinutes'
  | 'digestAbove'
  | 'filter'
  | 'body'
>;

/** Returns what a rehearsal needs of settings. */
export const rehearsed = ({
  preset,
  webhookIds,
  types,
  severityAtLeast,
  mode,
  settleSeconds,
  ratePerMinute,
  repeatEveryMinutes,
  digestAbove,
  filter,
  body,
}: RehearsedSettings): RehearsedSettings => ({
  preset,
  webhookIds,
  types,
  severityAtLeast,
  mode,
  settleSeconds,
  ratePerMinute,
  repeatEveryMinutes,
  digestAbove,
  filter,
  body,
});
