import { NotFound } from '../parts/not-found.tsx';

export default function EventList() {
  return <NotFound />;
}
