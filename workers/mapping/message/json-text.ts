import { stringify } from 'lossless-json';
import type { JsonValue } from '../values/json-value.js';

/** Returns a value as JSON. A long integer keeps its digits. */
export const toJsonText = (value: JsonValue): string => stringify(value) ?? 'null';
