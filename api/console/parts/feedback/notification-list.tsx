import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

export default function NotificationList(): ReactNode {
  return <Notifications position="bottom-right" transitionDuration={120} />;
}
