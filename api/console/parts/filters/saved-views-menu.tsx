import { Button } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { OnDemand } from '../feedback/boundary.tsx';
import { lazyPart } from '../feedback/lazy-part.tsx';
import { usePopup } from '../popups/use-popup.ts';

const SavedViewsDialog = lazyPart(() => import('./saved-views-dialog.tsx'));

/** A button that opens the saved views of a list. */
export function SavedViewsMenu({ list }: { list: string }) {
  const { popup, buttonProps } = usePopup('dialog', SavedViewsDialog.load);
  return (
    <>
      <Button {...buttonProps} variant="default" leftSection={<IconBookmark size={16} />}>
        Views
      </Button>
      <OnDemand>{popup && <SavedViewsDialog list={list} popup={popup} />}</OnDemand>
    </>
  );
}
