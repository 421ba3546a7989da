import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { useJobFilters } from '../list/use-job-filters.ts';

/** The way back to the job list, and to the jobs before and after. */
export const PlaceOfJob = ({ id }: { id: string }) => (
  <PlaceInList id={id} list="/jobs" name="Jobs" one="job" path="/v2/jobs" query={useJobFilters().query} />
);
