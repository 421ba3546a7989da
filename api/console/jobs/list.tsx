import { NotFound } from '../parts/not-found.tsx';

export default function JobList() {
  return <NotFound />;
}
