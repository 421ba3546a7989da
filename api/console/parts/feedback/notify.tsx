import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'wouter';

const SHOWN_MS = 8_000;

interface Notice {
  text: string;
  /** Not what was wished for: it then stays until it is closed. */
  isWarning?: boolean;
  /** Where more is to be seen. */
  link?: { href: string; text: string } | undefined;
}

/** Says at the edge of the page what became of something; screen readers say it as well. */
export function notify({ text, isWarning = false, link }: Notice): void {
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
      </>
    ),
  });
}
