import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { useAlertView } from '../list/use-alert-view.ts';

/** The way back to the alert list, and to the alerts before and after. */
export const PlaceOfAlert = ({ id }: { id: string }) => (
  <PlaceInList
    id={id}
    list="/alerts"
    name="Alerts"
    one="alert"
    path="/v2/alerts"
    query={useAlertView().query}
  />
);
