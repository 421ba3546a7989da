import { useNotifications } from '@mantine/notifications';
import { useState } from 'react';
import { lazyPart } from './lazy-part.tsx';

/** Loaded with the first notification. Without it, for example after an update of Muster, there are none, and the page still works. */
const NotificationList = lazyPart(() =>
  import('./notification-list.tsx').catch(() => ({ default: () => null })),
);

/** The notifications at the edge of the page. */
export function Notices() {
  const { notifications } = useNotifications();
  const [isUsed, setUsed] = useState(false);
  if (notifications.length > 0 && !isUsed) setUsed(true);
  return isUsed && <NotificationList />;
}
