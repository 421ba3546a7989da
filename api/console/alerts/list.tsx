import { NotFound } from '../parts/not-found.tsx';

export default function AlertList() {
  return <NotFound />;
}
