import { NotFound } from '../parts/not-found.tsx';

export default function Events() {
  return <NotFound />;
}
