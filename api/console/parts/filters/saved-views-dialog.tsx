import { ActionIcon, Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { announce } from '../feedback/announce.tsx';
import { PopupDialog } from '../popups/popup-dialog.tsx';
import type { Popup } from '../popups/use-popup.ts';
import styles from './filter-bar.module.css';
import { deleteView, MAX_NAME, savedViews, saveView, viewQuery } from './saved-views.ts';

/** The views that this browser has saved for a list, and a form that saves the present one. */
export default function SavedViewsDialog({ list, popup }: { list: string; popup: Popup }) {
  const [views, setViews] = useState(() => savedViews(list));
  const [isRejected, setRejected] = useState(false);
  const query = viewQuery(useSearch());
  const [path] = useLocation();
  const change = (apply: () => boolean): boolean => {
    const isStored = apply();
    setRejected(!isStored);
    setViews(savedViews(list));
    return isStored;
  };
  return (
    <PopupDialog popup={popup} label="Saved views" position="bottom-end" width={280}>
      {views.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          Save filters under a name. They are kept in this browser.
        </Text>
      )}
      <ul className={styles.views}>
        {views.map((view) => (
          <li key={view.name}>
            <Anchor
              component={Link}
              href={`${path}?${view.query}`}
              size="sm"
              aria-current={view.query === query || undefined}
              onClick={() => popup.setOpen(false)}
            >
              {view.name}
            </Anchor>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete view ${view.name}`}
              onClick={() => change(() => deleteView(list, view.name))}
            >
              <IconX size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <NewView
        save={(name) => {
          const isSaved = change(() => saveView(list, { name, query }));
          if (isSaved) announce(`View ${name} saved`);
          return isSaved;
        }}
      />
      {isRejected && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" mt="xs">
          The browser could not store the change: its storage is full or blocked. The address of this page has
          the filters too.
        </Text>
      )}
    </PopupDialog>
  );
}

/** `save` returns whether the view was saved. */
function NewView({ save }: { save: (name: string) => boolean }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    if (save(name.trim())) setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          label="Name of this view"
          size="xs"
          flex={1}
          maxLength={MAX_NAME}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={name.trim() === ''}>
          Save view
        </Button>
      </Group>
    </form>
  );
}
