import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../../parts/feedback/dialog.tsx';

/** Asks for confirmation before the user leaves unsaved changes. */
export function LeaveGuard({ active }: { active: boolean }) {
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (!active) return;
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(path);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Captures the click before the link's own handler, which navigates immediately.
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [active]);
  if (wanted === null) return null;
  const stay = () => setWanted(null);
  return (
    <Dialog onClose={stay} title="Leave without saving?" centered>
      <Stack>
        <Text size="sm">
          Your changes stay in this tab until you close it. Until you save them, events are mapped with the
          saved revision.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button onClick={() => navigate(wanted)}>Leave</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Returns the console page that a click leads to, or null if it stays on this page, leaves the console or opens a tab. */
function pathOfLink({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | null {
  if (button !== 0 || ctrlKey || metaKey || shiftKey) return null;
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return null;
  const { origin, pathname, search } = new URL(link.href);
  return origin === location.origin && pathname !== location.pathname ? pathname + search : null;
}
