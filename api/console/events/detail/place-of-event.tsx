import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { useEventFilters } from '../list/use-event-filters.ts';

/** The way back to the event list, and to the events before and after. */
export const PlaceOfEvent = ({ id }: { id: string }) => (
  <PlaceInList
    id={id}
    list="/events"
    name="Events"
    one="event"
    path="/v2/events"
    query={useEventFilters().query}
  />
);
