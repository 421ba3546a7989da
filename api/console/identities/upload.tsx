import { NotFound } from '../parts/not-found.tsx';

export default function UploadPage() {
  return <NotFound />;
}
