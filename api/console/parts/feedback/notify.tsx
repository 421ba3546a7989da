import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'wouter';

const SHOWN_MS = 8_000;

interface Notification {
  text: string;
  /** A warning stays until the user closes it. */
  isWarning?: boolean;
  /** Leads to the details. */
  link?: { href: string; text: string } | undefined;
  /** What can be done next on this page. */
  action?: { text: string; run: () => void } | undefined;
}

/** Shows a notification at the edge of the page. Screen readers announce it too. */
export function notify({ text, isWarning = false, link, action }: Notification): void {
  notifications.show({
    color: isWarning ? 'yellow' : 'green',
    autoClose: isWarning ? false : SHOWN_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <>
        {text}{' '}
        {link && (
          <Anchor component={Link} href={link.href} size="sm" underline="always">
            {link.text}
          </Anchor>
        )}
        {action && (
          <>
            {' · '}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={action.run}>
              {action.text}
            </Anchor>
          </>
        )}
      </>
    ),
  });
}
