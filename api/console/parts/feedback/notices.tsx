import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';

/** Loaded with the first notification. Without it, for example after an update of Muster, there are none, and the page still works. */
const NotificationList = lazy(() => import('./notification-list.tsx').catch(() => ({ default: () => null })));

/** The notifications at the edge of the page. */
export function Notices() {
  const { notifications } = useNotifications();
  const [isUsed, setUsed] = useState(false);
  if (notifications.length > 0 && !isUsed) setUsed(true);
  return (
    isUsed && (
      <Suspense>
        <NotificationList />
      </Suspense>
    )
  );
}
