import { NotFound } from '../parts/not-found.tsx';

export default function NewIntegration() {
  return <NotFound />;
}
