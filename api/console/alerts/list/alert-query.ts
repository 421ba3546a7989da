import type { QueryValue } from '../../http/request.ts';

/** The filters of the alert list as the API takes them. */
export type AlertQuery = Record<string, QueryValue>;
