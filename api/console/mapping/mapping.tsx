import { NotFound } from '../parts/not-found.tsx';

export default function MappingPage() {
  return <NotFound />;
}
