import { LRUCache } from 'lru-cache';
import type { MessageField } from '../mapping/index.js';
import {
  type BodySource,
  type CompiledBody,
  compileBody,
  compileFilter,
  drawBody,
  type FilterVerdict,
  judgeMessage,
  type MessageFilter,
  type MessageValues,
} from '../mapping/index.js';
import type { RenderedBody, Told } from './presets/preset.js';

/*
 * What a destination draws itself: its filter, and the body of its messages. Both were checked when they were saved.
 */

const filters = new LRUCache<string, { filter: MessageFilter | null }>({ max: 5_000 });
const bodies = new LRUCache<string, { body: CompiledBody | null }>({ max: 1_000 });

const UNREADABLE = 'it was saved by another release, which reads it otherwise';

/** What a filter and a body read of a message. */
type Read = Pick<Told, 'type' | 'at' | 'sequence' | 'isTest' | 'alert'>;

/** Judges a message by the filter of a destination. A filter that cannot judge it lets it pass. */
export function judge(source: string, values: MessageValues): FilterVerdict {
  let known = filters.get(source);
  if (!known) {
    const result = compileFilter(source, true);
    known = { filter: 'filter' in result ? result.filter : null };
    filters.set(source, known);
  }
  if (!known.filter) return { passes: true, fault: UNREADABLE };
  return judgeMessage(known.filter, values);
}

/** Characters of a detail of a message. */
const MAX_DETAIL = 1_000;

/** Returns what a filter did with a message, for its row; null if there is nothing to say. */
export function detailOf(verdict: FilterVerdict): string | null {
  if (verdict.passes)
    return (
      verdict.fault &&
      `The filter could not decide, so the message was not filtered: ${verdict.fault}`.slice(0, MAX_DETAIL)
    );
  const reads = verdict.reads.map(
    ({ path, value }) => `${path} ${value === null ? 'has no value' : `is ${JSON.stringify(value)}`}`,
  );
  return [verdict.clause, ...reads].join('; ').slice(0, MAX_DETAIL).toWellFormed();
}

/** Draws the body of a message, or says why that is not possible. */
export function drawOwn(source: BodySource, told: Read): RenderedBody | { fault: string } {
  const key = JSON.stringify(source);
  let known = bodies.get(key);
  if (!known) {
    const result = compileBody(source, true);
    known = { body: 'body' in result ? result.body : null };
    bodies.set(key, known);
  }
  if (!known.body) return { fault: UNREADABLE };
  const drawn = drawBody(known.body, valuesOf(told));
  return 'fault' in drawn
    ? { fault: drawn.fault.slice(0, MAX_DETAIL) }
    : { contentType: source.contentType, text: drawn.text };
}

/** Returns a message as filters and bodies read it. One serves all destinations. */
export function valuesOf({ type, at, sequence, isTest, alert }: Read): MessageValues {
  const texts: Record<MessageField<'alert'>, unknown> = alert;
  const transition: Record<MessageField<'transition'>, unknown> = {
    type,
    timestamp: at,
    sequence,
    test: isTest,
  };
  return JSON.parse(JSON.stringify({ alert: texts, transition }, wellFormed));
}

/** Many parsers reject a lone surrogate. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
