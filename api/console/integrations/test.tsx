import { NotFound } from '../parts/not-found.tsx';

export default function Test() {
  return <NotFound />;
}
