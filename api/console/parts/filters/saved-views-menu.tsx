import { Button } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { lazy } from 'react';
import { OnDemand } from '../feedback/on-demand.tsx';
import { usePopup } from '../popups/use-popup.ts';

const load = () => import('./saved-views-dialog.tsx');
const SavedViewsDialog = lazy(load);

/** A button that opens the saved views of a list. */
export function SavedViewsMenu({ list }: { list: string }) {
  const { popup, buttonProps } = usePopup('dialog', load);
  return (
    <>
      <Button {...buttonProps} variant="default" leftSection={<IconBookmark size={16} />}>
        Views
      </Button>
      <OnDemand>{popup && <SavedViewsDialog list={list} popup={popup} />}</OnDemand>
    </>
  );
}
