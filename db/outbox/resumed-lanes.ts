import type { Database } from '../client/connect.js';
import type { LaneWrite } from './lane-write.js';
import type { Lane } from './lanes.js';

type Resumed = NonNullable<Lane['resume']>;

/**
 * Returns which messages are not to be sent of those that waited when a lane was resumed. The end of an alert is left: it is sent to who was told of
 * the alert.
 */
export async function leftOut(
  database: Database,
  destinationId: string,
  { deliver, upTo }: Resumed,
): Promise<LaneWrite['ended']> {
  const waiting = await database('messages')
    .join('transitions', 'transitions.id', 'messages.transition_id')
    .where({ destination_id: destinationId, state: 'waiting' })
    .where('transition_id', '<=', upTo)
    .orderBy('transition_id')
    .select({
      id: 'transition_id',
      key: database.raw('HEX(key_id)'),
      // An alert that stands alone never ends.
      isAlone: database.raw('key_id = alert_id'),
    });
  const newest = new Map(waiting.map(({ id, key }) => [key, id]));
  const stateOf = ({ id, key, isAlone }: (typeof waiting)[number]) => {
    if (deliver === 'none') return 'canceled';
    if (newest.get(key) !== id) return 'superseded';
    return deliver === 'firing' && Number(isAlone) === 1 ? 'canceled' : null;
  };
  return waiting.flatMap((message) => {
    const state = stateOf(message);
    return state === null ? [] : { transitionId: Number(message.id), state, reason: state };
  });
}

/** Notes that the choice is carried out. Returns false if another worker has the lane, or somebody has resumed it again. */
export const noteSettled = async (
  database: Database,
  { destinationId, lease }: Pick<Lane, 'destinationId' | 'lease'>,
  { deliver, upTo }: Resumed,
): Promise<boolean> =>
  (await database('lanes')
    .where({ destination_id: destinationId, lease, resume: deliver, resume_up_to: upTo })
    .update({ resume: null, resume_up_to: null })) > 0;
