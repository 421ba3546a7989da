import { NotFound } from '../parts/not-found.tsx';

export default function EventDetail() {
  return <NotFound />;
}
