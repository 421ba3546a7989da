import type { Alert } from '../http/types.ts';
import { Badge, StateBadge } from '../parts/values/badge.tsx';
import { counted, wholeNumber } from '../text/quantities.ts';

/** Badges for the status of an alert, its number of events if there are several, and whether it is incomplete. */
export const AlertBadges = ({ alert }: { alert: Pick<Alert, 'status' | 'eventCount' | 'state'> }) => (
  <>
    {alert.status !== null && <StateBadge state={alert.status} />}
    {alert.eventCount > 1 && (
      <span title={counted(alert.eventCount, 'event')}>
        <Badge>×{wholeNumber(alert.eventCount)}</Badge>
      </span>
    )}
    {alert.state === 'incomplete' && <StateBadge state="incomplete" />}
  </>
);
