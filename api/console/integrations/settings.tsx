import { NotFound } from '../parts/not-found.tsx';

export default function Settings() {
  return <NotFound />;
}
