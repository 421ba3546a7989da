import { NotFound } from '../parts/not-found.tsx';

export default function IdentityList() {
  return <NotFound />;
}
