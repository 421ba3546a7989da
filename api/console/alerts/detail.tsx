import { NotFound } from '../parts/not-found.tsx';

export default function AlertDetail() {
  return <NotFound />;
}
