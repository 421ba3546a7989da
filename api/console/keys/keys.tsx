import { NotFound } from '../parts/not-found.tsx';

export default function Keys() {
  return <NotFound />;
}
