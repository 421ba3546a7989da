/** Where Opsgenie's API begins, and the ones of Jira Service Management that have the same paths below. */
const ROOTS = '/v2|/jsm/ops/integration/v2|/jsm/ops/api/[^/]+/v1';

const below = (noun: string, rest: string): RegExp => new RegExp(`^(?:${ROOTS})/${noun}${rest}/?$`);

/** Returns the pattern of a path below `/alerts`. An alias may contain any character, so the last segment decides. */
export const alertPath = (rest: string): RegExp => below('alerts', rest);

/** Returns the pattern of a path below `/heartbeats`. */
export const heartbeatPath = (rest: string): RegExp => below('heartbeats', rest);
