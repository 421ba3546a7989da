import { NotFound } from '../parts/not-found.tsx';

export default function HealthPage() {
  return <NotFound />;
}
