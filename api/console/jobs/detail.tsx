import { NotFound } from '../parts/not-found.tsx';

export default function JobDetail() {
  return <NotFound />;
}
